import { hint, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

interface Explained {
  readonly what: LocalizedMessage;
  readonly nextStep: LocalizedMessage;
  readonly mayWantCertificate?: boolean;
}

const trust = hint(
  sentence(
    'If you trust it, name its certificate authority as "ca" in "tls" of the agent\'s settings, or use the address its certificate is meant for.',
  ),
  'If you trust it, name its certificate authority with --ca, or use the address its certificate is meant for.',
);
const renew = sentence("The agent's operator must renew the certificate. Check also that this machine's clock is right.");

/** Explains a failed TLS handshake by its OpenSSL or Node code; undefined for any other code. */
export function tlsSentence(code: string, url: URL): Explained | undefined {
  const { host } = url;
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return { what: sentence('The certificate of {0} has expired ({1}).', host, code), nextStep: renew };
    case 'CERT_NOT_YET_VALID':
      return { what: sentence('The certificate of {0} is not valid yet ({1}).', host, code), nextStep: renew };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return { what: sentence('The certificate of {0} is self-signed ({1}).', host, code), nextStep: trust };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        what: sentence('The certificate of {0} comes from an authority that is not known here ({1}).', host, code),
        nextStep: trust,
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { what: sentence('The certificate of {0} is for another name ({1}).', host, code), nextStep: trust };
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
      return {
        what: sentence('{0} requires a client certificate ({1}).', host, code),
        nextStep: hint(
          sentence('Name one in "tls" of the agent\'s settings: "certificate" and "key", or "pfx".'),
          'Give it one with --cert and --key, or --pfx.',
        ),
        mayWantCertificate: true,
      };
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
    case 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED':
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED':
    case 'ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE':
    case 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED':
      return {
        what: sentence('{0} did not accept the client certificate ({1}).', host, code),
        nextStep: sentence("Ask the agent's operator which certificate it accepts, and use that one."),
      };
    case 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE':
    case 'ERR_SSL_TLSV1_ALERT_HANDSHAKE_FAILURE':
      return {
        what: sentence('{0} refused the secure connection ({1}). It may require a client certificate.', host, code),
        nextStep: hint(
          sentence('Name one in "tls" of the agent\'s settings: "certificate" and "key", or "pfx".'),
          'Give it one with --cert and --key, or --pfx.',
        ),
        mayWantCertificate: true,
      };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return {
        what: sentence('{0} does not use TLS ({1}).', host, code),
        nextStep: sentence('Use an http:// address if the agent runs without TLS.'),
      };
  }
  return /^(ERR_SSL_|ERR_TLS_|CERT_)/.test(code)
    ? { what: sentence('Could not establish a secure connection to {0} ({1}).', host, code), nextStep: trust }
    : undefined;
}

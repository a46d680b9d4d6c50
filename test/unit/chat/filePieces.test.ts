import * as assert from 'node:assert/strict';
import { HostError } from '../../../src/chat/host/channel.ts';
import { sendFile } from '../../../src/chat/draft/filePieces.ts';
import { type DraftFile, FilePiece } from '../../../src/chat/host/draft.ts';
import { pieceBytes } from '../../../src/chat/host/limits.ts';
import { Uploads } from '../../../src/workbench/chat/drafts/uploads.ts';

const attached: DraftFile = { kind: 'file', id: 'i', name: 'a', mediaType: 'a/b', size: 0 };

suite('chat: a file on its way to the host', () => {
  for (const size of [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes + 7]) {
    test(`${size} bytes arrive as they were, in bounded pieces that the host takes`, async () => {
      const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31) % 256);
      const uploads = new Uploads();
      const shares: number[] = [];
      let got: Uint8Array | undefined;
      const attach = (piece: FilePiece): Promise<DraftFile | null> => {
        assert.ok(FilePiece.safeParse(piece).success);
        got = uploads.take(piece);
        return Promise.resolve(got === undefined ? null : attached);
      };
      assert.equal(await sendFile('i', new File([bytes], 'a.bin'), attach, sent => shares.push(sent)), attached);
      assert.ok(Buffer.from(got ?? []).equals(bytes));
      assert.equal(shares.length, Math.max(0, Math.ceil(size / pieceBytes) - 1));
    });
  }

  test('a host that never has all of it is not asked for ever', async () => {
    let asked = 0;
    await assert.rejects(
      sendFile(
        'i',
        new File(['abc'], 'a'),
        () => {
          asked++;
          return Promise.resolve(null);
        },
        () => {},
      ),
      HostError,
    );
    assert.ok(asked < 3);
  });

  test('a file that cannot be read is said to be so', async () => {
    const folder = {
      name: 'folder',
      type: '',
      size: 10,
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadable')) }),
    } as unknown as File;
    await assert.rejects(
      sendFile(
        'i',
        folder,
        () => Promise.resolve(null),
        () => {},
      ),
      /folder could not be read: NotReadable/,
    );
  });
});

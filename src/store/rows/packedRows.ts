/**
 * The schema's step to rows that contain many events of a stream, with their text beside the JSON. Older rows stay as they are and have no
 * such text.
 */
export const packedRows = `
  ALTER TABLE frames ADD COLUMN count INTEGER NOT NULL DEFAULT 1;  -- events, numbered from seq on
  ALTER TABLE frames ADD COLUMN data BLOB;                         -- theirs, one after the other; the rest of each is in body
  ALTER TABLE artifact_chunks ADD COLUMN text BLOB;                -- of parts that are nothing but text; in parts, their lengths
`;

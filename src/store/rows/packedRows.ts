/**
 * The schema's step to rows that hold many events of a stream, with their text as it is. What was written before stays as it was
 * written, and is read so: such rows have no text of their own.
 */
export const packedRows = `
  ALTER TABLE frames ADD COLUMN count INTEGER NOT NULL DEFAULT 1;  -- events, numbered from seq on
  ALTER TABLE frames ADD COLUMN data BLOB;                         -- theirs, one after the other; the rest of each is in body
  ALTER TABLE artifact_chunks ADD COLUMN text BLOB;                -- of parts that are nothing but text; in parts, their lengths
`;

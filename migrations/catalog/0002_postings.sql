-- A list holds differences now, in a third of the bytes (src/postings.rs): all segments are
-- indexed again.

DELETE FROM segments;
DELETE FROM batches;
DELETE FROM postings;
DELETE FROM requests;
DELETE FROM tiles;

-- "url" ends before its query, which may hold a credential. The query is sealed, and was part of
-- "url" before: the server seals it at its start.
ALTER TABLE webhook_endpoints ADD COLUMN query_sealed VARCHAR(8192);

-- Attempts show the request line without the query.
UPDATE delivery_attempts
SET request_head =
    SUBSTRING(request_head FROM 1 FOR POSITION('?' IN request_head)) || '...'
        || SUBSTRING(request_head FROM POSITION(' HTTP/1.1' IN request_head))
WHERE POSITION('?' IN request_head) > 0
    AND POSITION('?' IN request_head) < POSITION(' HTTP/1.1' IN request_head);

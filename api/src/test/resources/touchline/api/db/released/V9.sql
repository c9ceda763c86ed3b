INSERT INTO scoreboards (stream_id, state)
    VALUES ('str_first', '{"visible":true,"home":{"name":"Blue","short_name":"BLU","color":"#0000ff","score":2},"away":{"name":"Red","short_name":"RED","color":"#ff0000","score":1},"clock":{"running":false,"elapsed_ms":60000,"at_ms":1772600770000},"period":"1","goal":null}');

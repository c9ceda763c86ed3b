# A cache for the viewers of three nodes of Touchline: see docs/cluster.md. Varnish 7. Change the names of the nodes.
# Which node is asked depends on the playback id, so that a stream is at few nodes. The last subroutines are those of
# deploy/varnish/touchline.vcl.
vcl 4.1;

import directors;

probe playback {
    .request =
        "OPTIONS / HTTP/1.1"
        "Host: 127.0.0.1"
        "Connection: close";
    .expected_response = 204;
    .interval = 2s;
    .timeout = 2s;
}

# A blocking reload is answered when its part exists.
backend node_1 {
    .host = "node-1";
    .port = "8081";
    .first_byte_timeout = 60s;
    .between_bytes_timeout = 60s;
    .probe = playback;
}

backend node_2 {
    .host = "node-2";
    .port = "8081";
    .first_byte_timeout = 60s;
    .between_bytes_timeout = 60s;
    .probe = playback;
}

backend node_3 {
    .host = "node-3";
    .port = "8081";
    .first_byte_timeout = 60s;
    .between_bytes_timeout = 60s;
    .probe = playback;
}

sub vcl_init {
    new nodes = directors.shard();
    nodes.add_backend(node_1);
    nodes.add_backend(node_2);
    nodes.add_backend(node_3);
    nodes.reconfigure();
}

# The playback id is the first part of the path, without ".m3u8". An "alt" of 1 is the next node.
sub vcl_backend_fetch {
    set bereq.backend = nodes.backend(
        by = KEY,
        key = nodes.key(regsub(bereq.url, "^/([^/.?]*).*$", "\1")),
        alt = bereq.retries,
        healthy = CHOSEN);
}

# A node without the database answers 503. So does one that cannot reach the node with the stream.
sub vcl_backend_response {
    if (beresp.status == 503 && bereq.retries == 0) {
        return (retry);
    }
}

sub vcl_backend_error {
    if (bereq.retries == 0) {
        return (retry);
    }
}

sub vcl_recv {
    # Playback needs no cookies, and they would keep answers out of the cache.
    unset req.http.Cookie;
    unset req.http.Authorization;
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Signed playback: the server checks each request.
    if (req.url ~ "^/[^/?]+/~" || req.url ~ "[?&](token|sig)=") {
        return (pass);
    }
    # Large files: the client's range goes to the server, instead of the whole file to the cache.
    if (req.url ~ "\.mp4(\?|$)" && req.url ~ "^/[^/?]+/capped-") {
        return (pass);
    }
    # A report of one player (CTA-5004): without it the address is the same for all.
    if (req.url ~ "[?&]CMCD=") {
        set req.url = regsuball(req.url, "([?&])CMCD=[^&]*&?", "\1");
        set req.url = regsub(req.url, "[?&]$", "");
    }
    return (hash);
}

sub vcl_backend_response {
    # What is older than the server allows is never served.
    set beresp.grace = 0s;
    set beresp.keep = 0s;
    # Many players ask for a stream that is about to start, or for a hinted part that does not come. This is one request
    # a second. Other errors may be those of one client.
    if (beresp.status == 404) {
        set beresp.ttl = 1s;
        return (deliver);
    }
    if (beresp.http.Cache-Control ~ "(?i)private|no-store" || beresp.http.Set-Cookie) {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
    }
    return (deliver);
}

sub vcl_deliver {
    if (req.method == "OPTIONS" || obj.uncacheable) {
        set resp.http.X-Cache = "PASS";
    } else if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
    return (deliver);
}

# A cache for the playback port of Touchline: see docs/reverse-proxy.md. Varnish 7.
# Standard and low latency HLS, recordings and clips. One request of many equal ones reaches the
# server: the others wait for its answer, blocking playlist reloads too.
vcl 4.1;

backend touchline {
    .host = "127.0.0.1";
    .port = "8081";
    # A blocking reload is answered when its part exists.
    .first_byte_timeout = 60s;
    .between_bytes_timeout = 60s;
    .probe = {
        .request =
            "OPTIONS / HTTP/1.1"
            "Host: 127.0.0.1"
            "Connection: close";
        .expected_response = 204;
        .interval = 2s;
        .timeout = 2s;
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

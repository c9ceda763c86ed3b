package touchline.api.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.Finding;
import touchline.packager.conformance.HlsPlaylist;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.conformance.MediaChecker;

/**
 * A player that shows nothing: reads a low-latency playlist by blocking reloads until its end, now
 * whole and now as delta update, now plain and now compressed; fetches every init segment, part and
 * segment, and each hinted part while it is pending; and judges all of it. Runs on one thread of
 * its own; results are read when that has ended.
 */
final class LowLatencyViewer implements Runnable {
    /** Longer than the server holds a request. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int OK = 200;
    private static final int NO_NEW_MEDIA = 503;

    final ConformanceChecker playlists = new ConformanceChecker();
    final MediaChecker media = new MediaChecker();
    final List<String> problems = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI address;
    private final Map<String, byte[]> parts = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<Long> segments = new HashSet<>();
    private int reloads;
    private int hintsServed;
    private volatile int discontinuities;

    LowLatencyViewer(URI address) {
        this.address = address;
    }

    @Override
    public void run() {
        try {
            Optional<HlsPlaylist> playlist = playlists.whole(text(get(address, false)));
            while (playlist.isPresent() && !playlist.get().ended()) {
                take(playlist.get());
                playlist = next(playlist.get());
            }
            playlist.ifPresent(this::take);
        } catch (IOException | UncheckedIOException e) {
            problems.add(e.toString());
        } catch (InterruptedException e) {
            problems.add("interrupted: " + e);
            Thread.currentThread().interrupt();
        }
    }

    List<Finding> findings() {
        List<Finding> all = new ArrayList<>(playlists.findings());
        all.addAll(media.findings());
        return all;
    }

    /** Hinted parts that were requested before they were listed, and arrived. */
    int hintsServed() {
        return hintsServed;
    }

    /** Seen so far; any thread. */
    int discontinuities() {
        return discontinuities;
    }

    private Optional<HlsPlaylist> next(HlsPlaylist now) throws IOException, InterruptedException {
        long number = now.nextMediaSequence();
        int part = now.growingParts();
        boolean skip = reloads % 2 == 0;
        boolean gzip = reloads % 3 == 0;
        reloads++;
        String query =
                "?_HLS_msn=" + number + "&_HLS_part=" + part + (skip ? "&_HLS_skip=YES" : "");
        Optional<CompletableFuture<HttpResponse<byte[]>>> hinted = now.hint().map(this::ask);
        HttpResponse<byte[]> reply = get(URI.create(address + query), gzip);
        if (reply.statusCode() == NO_NEW_MEDIA) {
            return Optional.of(now);
        }
        String text = text(reply);
        Optional<HlsPlaylist> next = skip ? playlists.delta(text) : playlists.whole(text);
        next.ifPresent(
                playlist -> {
                    boolean holds =
                            playlist.nextMediaSequence() > number
                                    || playlist.growingParts() > part
                                    || playlist.ended();
                    if (!holds) {
                        problems.add(query + " was answered without it:\n" + text);
                    }
                });
        if (next.isPresent() && hinted.isPresent()) {
            hinted(now.hint().orElseThrow(), next.get(), hinted.get().join());
        }
        return next;
    }

    /**
     * A hinted part that is listed now must have come whole; another one must have been refused.
     */
    private void hinted(String uri, HlsPlaylist next, HttpResponse<byte[]> reply) {
        boolean listed = next.parts().stream().anyMatch(part -> part.uri().equals(uri));
        if (listed && reply.statusCode() == OK) {
            hintsServed++;
            parts.put(uri, reply.body());
        } else if (listed || reply.statusCode() == OK) {
            problems.add("hint " + uri + " listed: " + listed + " status: " + reply.statusCode());
        }
    }

    private void take(HlsPlaylist playlist) {
        long breaks = playlist.segments().stream().filter(Segment::discontinuity).count();
        // Those that have left the window are counted by the playlist.
        long all = playlist.head().discontinuitySequence() + breaks;
        discontinuities = Math.max(discontinuities, Math.toIntExact(all));
        for (Segment segment : playlist.segments()) {
            if (!media.knows(segment.map())) {
                media.init(segment.map(), fetch(segment.map()));
            }
            List<byte[]> bytes = new ArrayList<>();
            for (Part part : segment.parts()) {
                bytes.add(part(segment, part));
            }
            if (segment.sealed() && segments.add(segment.mediaSequence())) {
                media.segment(
                        segment,
                        playlist.head().independentSegments(),
                        bytes,
                        fetch(segment.uri()));
            }
        }
        Set<String> listed = new HashSet<>();
        playlist.parts().forEach(part -> listed.add(part.uri()));
        seen.retainAll(listed);
        parts.keySet().retainAll(listed);
    }

    /** The bytes of a listed part, fetched at its first sight, also where they came as a hint. */
    private byte[] part(Segment segment, Part part) {
        byte[] known = parts.get(part.uri());
        if (seen.add(part.uri()) || known == null) {
            byte[] fetched = fetch(part.uri());
            if (known != null && !Arrays.equals(known, fetched)) {
                problems.add("the hinted bytes of " + part.uri() + " are others now");
            }
            media.part(part, segment.map(), fetched);
            parts.put(part.uri(), fetched);
            return fetched;
        }
        return known;
    }

    private byte[] fetch(String uri) {
        try {
            HttpResponse<byte[]> reply = get(address.resolve(uri), false);
            if (reply.statusCode() != OK) {
                problems.add(uri + ": " + reply.statusCode());
            }
            return reply.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private CompletableFuture<HttpResponse<byte[]>> ask(String uri) {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve(uri)).timeout(PATIENCE).build();
        return client.sendAsync(request, BodyHandlers.ofByteArray());
    }

    private HttpResponse<byte[]> get(URI from, boolean gzip)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(from).timeout(PATIENCE);
        if (gzip) {
            request.header("Accept-Encoding", "gzip");
        }
        HttpResponse<byte[]> reply = client.send(request.build(), BodyHandlers.ofByteArray());
        boolean came =
                reply.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent();
        if (came != gzip && reply.statusCode() == OK) {
            problems.add(from + ": gzip asked: " + gzip + " came: " + came);
        }
        return reply;
    }

    private String text(HttpResponse<byte[]> reply) throws IOException {
        if (reply.statusCode() != OK) {
            problems.add(reply.uri() + ": " + reply.statusCode());
        }
        byte[] body = reply.body();
        if (reply.headers().firstValue("Content-Encoding").isPresent()) {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
                body = in.readAllBytes();
            }
        }
        return new String(body, StandardCharsets.UTF_8);
    }
}

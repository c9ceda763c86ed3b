package touchline.benchmarks.hostile;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import touchline.benchmarks.load.FlvFile;
import touchline.benchmarks.load.LiveAddress;

/** Attacks by media of publishers with a valid key. Any thread. */
final class MediaAttacks {
    private static final int VIDEO = 9;
    private static final int MEDIA_STREAM = 1;
    private static final int FRAME_MS = 33;
    private static final int JUMPS_PER_SECOND = 500;
    private static final Duration PUSH = Duration.ofSeconds(20);

    private final HostileStreams streams;
    private final FlvFile source;

    /**
     * @param source small, with audio
     */
    MediaAttacks(HostileStreams streams, FlvFile source) {
        this.streams = streams;
        this.source = source;
    }

    List<Attack> all() {
        List<Attack> all = new ArrayList<>();
        all.add(
                Attack.of(
                        "AV1 key frames of 16,128 x 16,128",
                        1,
                        1_000,
                        _ -> push(streams.av1(), Bombs.av1Configuration(), Bombs.av1KeyFrame())));
        for (LiveAddress stream : List.of(streams.large(), streams.largeToo())) {
            all.add(
                    Attack.of(
                            "H.264 4:4:4, 10 bits, 16 references of 4096 x 4096",
                            1,
                            1_000,
                            _ ->
                                    push(
                                            stream,
                                            Bombs.avcConfiguration(4_096, 4_096, 16),
                                            Bombs.avcKeyFrame())));
        }
        all.add(
                Attack.of(
                        "frames wider than 8,192",
                        1,
                        1_000,
                        _ ->
                                push(
                                        streams.wide(),
                                        Bombs.avcConfiguration(8_208, 16, 1),
                                        Bombs.avcKeyFrame())));
        all.add(Attack.of("timestamp jump with every frame", 1, 1_000, _ -> timestampJumps()));
        List.of(streams.av1(), streams.large(), streams.html())
                .forEach(
                        stream ->
                                all.add(
                                        Attack.of(
                                                "thumbnails of bombs and mutated media",
                                                1,
                                                1_000,
                                                index -> thumbnail(stream.watch(), index))));
        mutated(all, "mutated media, html scoreboard, gate", streams.html().push());
        mutated(all, "mutated media, overlay stream, gate", streams.withOverlay().push());
        mutated(all, "mutated media as overlay stream", streams.overlayPush());
        mutated(all, "mutated media, gate", streams.gated().push());
        return all;
    }

    /** The same streams with media as it should be. */
    List<Attack> ordinary() {
        List<Attack> all = new ArrayList<>();
        for (URI push :
                List.of(
                        streams.html().push(),
                        streams.overlayPush(),
                        streams.withOverlay().push(),
                        streams.gated().push())) {
            all.add(Attack.of("ordinary media", 1, 1_000, _ -> push(push, tag -> tag)));
        }
        all.add(Attack.of("thumbnails", 1, 300, i -> thumbnail(streams.gated().watch(), i)));
        return all;
    }

    private void mutated(List<Attack> all, String name, URI push) {
        int seeds = all.size() * 1_000;
        all.add(Attack.of(name, 1, 1_000, i -> push(push, new FlvMutator(seeds + i)::next)));
    }

    /** Configuration and key frames in real time. */
    private String push(LiveAddress stream, byte[] configuration, byte[] keyFrame)
            throws IOException, InterruptedException {
        try (RtmpPeer peer = RtmpPeer.publish(stream.push())) {
            return guarded(
                    peer,
                    () -> {
                        peer.message(6, VIDEO, 0, MEDIA_STREAM, configuration);
                        for (int atMs = 0; atMs < PUSH.toMillis(); atMs += FRAME_MS) {
                            if (!peer.isOpen()) {
                                return "closed";
                            }
                            peer.message(6, VIDEO, atMs, MEDIA_STREAM, keyFrame);
                            TimeUnit.MILLISECONDS.sleep(FRAME_MS);
                        }
                        return "not decoded, not closed";
                    });
        }
    }

    /** Each frame stands an hour before or behind the last one. */
    private String timestampJumps() throws IOException, InterruptedException {
        try (RtmpPeer peer = RtmpPeer.publish(streams.jumps().push())) {
            FlvFile.Tag header = header(VIDEO);
            FlvFile.Tag keyFrame =
                    source.tags().stream()
                            .filter(tag -> tag.type() == VIDEO && tag.isMedia())
                            .findFirst()
                            .orElseThrow();
            return guarded(
                    peer,
                    () -> {
                        peer.message(6, VIDEO, 0, MEDIA_STREAM, bytes(header));
                        long frames = PUSH.toSeconds() * JUMPS_PER_SECOND;
                        for (int i = 0; i < frames && peer.isOpen(); i++) {
                            int atMs = i % 2 == 0 ? i : 3_600_000 + i;
                            peer.message(6, VIDEO, atMs, MEDIA_STREAM, bytes(keyFrame));
                            TimeUnit.MILLISECONDS.sleep(1_000 / JUMPS_PER_SECOND);
                        }
                        return peer.isOpen() ? "not closed" : "closed";
                    });
        }
    }

    private String push(URI push, UnaryOperator<FlvFile.Tag> mutator)
            throws IOException, InterruptedException {
        try (RtmpPeer peer = RtmpPeer.publish(push)) {
            long startNs = System.nanoTime();
            return guarded(
                    peer,
                    () -> {
                        for (FlvFile.Tag tag : source.tags()) {
                            long dueMs = tag.isMedia() ? tag.timestampMs() : 0;
                            long nowMs = (System.nanoTime() - startNs) / 1_000_000;
                            TimeUnit.MILLISECONDS.sleep(Math.max(0, dueMs - nowMs));
                            if (!peer.isOpen()) {
                                return "closed";
                            }
                            FlvFile.Tag sent = tag.isMedia() ? mutator.apply(tag) : tag;
                            peer.message(
                                    tag.type() == VIDEO ? 6 : 4,
                                    sent.type(),
                                    sent.timestampMs(),
                                    MEDIA_STREAM,
                                    bytes(sent));
                        }
                        return "pushed to its end";
                    });
        }
    }

    /** Sending to a connection that the server closes fails at any place. */
    private static String guarded(RtmpPeer peer, Sending sending)
            throws IOException, InterruptedException {
        try {
            return sending.send();
        } catch (java.net.SocketException _) {
            return peer.isOpen() ? "reset" : "closed";
        }
    }

    /** Sends media until its end. */
    @FunctionalInterface
    private interface Sending {
        String send() throws IOException, InterruptedException;
    }

    private String thumbnail(URI watch, int index) throws IOException {
        String path = watch.getPath().replace(".m3u8", "/thumbnail.jpg");
        try (Connection connection = Connection.tls(watch, "http/1.1")) {
            connection.send(
                    "GET %s?width=%d HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                            .formatted(path, 64 + 2 * (index % 500), watch.getAuthority()));
            return connection.awaitEnd();
        }
    }

    private FlvFile.Tag header(int type) {
        return source.tags().stream()
                .filter(tag -> tag.type() == type && tag.isSequenceHeader())
                .findFirst()
                .orElseThrow();
    }

    private static byte[] bytes(FlvFile.Tag tag) {
        byte[] body = new byte[tag.body().remaining()];
        tag.body().get(tag.body().position(), body);
        return body;
    }
}

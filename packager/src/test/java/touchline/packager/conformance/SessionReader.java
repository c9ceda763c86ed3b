package touchline.packager.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.Timeline;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PartSink;
import touchline.packager.hls.RenderedPlaylist;

/**
 * Reads every state of a window, on the packager's own thread: after each part, seal and the end.
 * As clients of different manners: one takes the whole playlist each time, one lives on delta
 * updates, one looks only now and then, one rewinds. Stores segments as a recorder does.
 */
public final class SessionReader implements PartSink {
    private static final int NOW_AND_THEN = 17;

    public final ConformanceChecker everyState = new ConformanceChecker();
    final ConformanceChecker byDeltas = new ConformanceChecker();
    final ConformanceChecker nowAndThen = new ConformanceChecker();
    final ConformanceChecker rewinding = new ConformanceChecker();
    public final MediaChecker media = new MediaChecker();
    private final LiveWindow window;
    private final Path folder;
    private final List<byte[]> growing = new ArrayList<>();
    private int states;

    private final String initSuffix;

    SessionReader(LiveWindow window, Path folder) {
        this(window, folder, "");
    }

    /**
     * @param initSuffix stands behind the numbers of init segments
     */
    public SessionReader(LiveWindow window, Path folder, String initSuffix) {
        this.initSuffix = initSuffix;
        this.window = window;
        this.folder = folder;
    }

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        media.init("init" + number + initSuffix + ".mp4", bytes(bytes.bytes()));
    }

    @Override
    public void part(FinishedPart part) {
        growing.add(bytes(part.bytes().bytes()));
        read();
    }

    @Override
    public void sealed(SealedSegment sealed) {
        read();
        HlsPlaylist playlist = everyState.latest().orElseThrow();
        Segment segment = playlist.sealedSegments().getLast();
        byte[] bytes = body(window.segment(sealed.mediaSequence()));
        for (int i = 0; i < segment.parts().size(); i++) {
            media.part(segment.parts().get(i), segment.map(), growing.get(i));
        }
        media.segment(segment, playlist.head().independentSegments(), growing, bytes);
        growing.clear();
        store(sealed.mediaSequence(), bytes);
    }

    @Override
    public void end() {
        read();
    }

    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>(media.findings());
        for (ConformanceChecker client : List.of(everyState, byDeltas, nowAndThen, rewinding)) {
            all.addAll(client.findings());
        }
        return all;
    }

    private void read() {
        Optional<String> whole = text(PlaylistKind.WINDOW);
        if (whole.isEmpty()) {
            return;
        }
        everyState.whole(whole.get());
        Optional<String> delta = text(PlaylistKind.WINDOW_DELTA);
        if (delta.isPresent()) {
            byDeltas.delta(delta.get(), whole.get());
        }
        if (states % NOW_AND_THEN == 0) {
            nowAndThen.delta(delta.orElseGet(whole::get), whole.get());
        }
        text(PlaylistKind.FULL).ifPresent(rewinding::whole);
        states++;
    }

    private Optional<String> text(PlaylistKind kind) {
        Optional<RenderedPlaylist> text = window.mediaPlaylist(kind).toCompletableFuture().join();
        return text.map(
                found -> {
                    byte[] plain = bytes(found.plain().bytes());
                    found.plain().release();
                    found.gzip().release();
                    return new String(plain, StandardCharsets.UTF_8);
                });
    }

    private void store(long mediaSequence, byte[] bytes) {
        try {
            Path file = folder.resolve(mediaSequence + ".m4s");
            Files.write(file, bytes);
            window.stored(mediaSequence, file, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] body(Optional<MediaBody> found) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MediaBody body = found.orElseThrow()) {
            switch (body) {
                case MediaBody.Blocks(List<MediaBlock> blocks) ->
                        blocks.forEach(block -> out.writeBytes(bytes(block.bytes())));
                case MediaBody.FileRange _,
                        MediaBody.FileSequence _,
                        MediaBody.PartlyStored _,
                        MediaBody.Fetched _ ->
                        throw new IllegalStateException("on disk already: " + body);
            }
        }
        return out.toByteArray();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(copy);
        return copy;
    }
}

package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.hub.Feed;
import touchline.media.hub.FeedReader;
import touchline.media.hub.PublishBarrier;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.Finding;
import touchline.packager.conformance.HlsPlaylist;
import touchline.packager.conformance.RenditionRules;
import touchline.packager.conformance.SessionReader;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/**
 * A source and its renditions. The source is packaged item by item on the test's thread; after each
 * item the renditions have caught up, and the playlists of all are judged side by side.
 */
final class RenditionRig {
    static final Track SMALL = track(640, 360, "avc1.4d001e");
    static final Track MEDIUM = track(854, 480, "avc1.4d001f");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    final CountedMemory memory = new CountedMemory();
    final LiveWindow window;
    final LiveRenditions renditions;
    final CollectingSink sink = new CollectingSink();

    private final Map<String, CollectingSink> sinks = new LinkedHashMap<>();

    final List<Finding> findings = new ArrayList<>();
    private final List<SessionReader> readers = new ArrayList<>();
    private final Path folder;
    private boolean judges = true;
    private Map<String, HlsPlaylist> before = Map.of();
    private Optional<PlaylistEnd> judged = Optional.empty();

    RenditionRig(LatencyProfile profile, Path folder) {
        this(new Settings(profile, 100), folder);
    }

    record Settings(LatencyProfile profile, long firstMediaSequence) {}

    RenditionRig(Settings settings, Path folder) {
        this.folder = folder;
        this.window =
                new LiveWindow(
                        PackagerRig.settings(
                                settings.profile(), settings.firstMediaSequence(), false),
                        memory);
        this.renditions = new LiveRenditions(window, memory, this::open);
    }

    private Optional<RenditionStorage.Stored> open(String name, LiveWindow of) {
        String suffix = "." + of.settings().firstMediaSequence();
        SessionReader reader = new SessionReader(of, folder(name + suffix), suffix);
        if (name.startsWith("audio")) {
            // The source's own audio is in the part in which it came, one frame late at most.
            reader.media.ofAudioRendition(name.equals("audio-0") ? 45_000 : 25_000);
        }
        CollectingSink collected = new CollectingSink();
        readers.add(reader);
        sinks.put(name, collected);
        return Optional.of(new RenditionStorage.Stored(new Both(collected, reader), () -> {}));
    }

    private Path folder(String name) {
        try {
            return Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a rendition whose units are all there. */
    RenditionRig rendition(String name, List<? extends FeedItem> items) {
        Feed feed = begin(name);
        items.forEach(feed::offer);
        feed.flush();
        feed.end();
        return this;
    }

    /** Starts a rendition whose units come later. */
    Feed begin(String name) {
        Feed feed = new Feed();
        renditions.start(name, feed.subscribe(name, 64 << 20));
        return feed;
    }

    /** Playlists are not compared: not all renditions have what the source has. */
    RenditionRig withoutComparison() {
        judges = false;
        return this;
    }

    RenditionRig run(List<? extends FeedItem> items) {
        return run(items, PublishBarrier.OPEN, _ -> {});
    }

    /**
     * @param before called before each item
     */
    RenditionRig run(
            List<? extends FeedItem> items, PublishBarrier barrier, Consumer<FeedItem> before) {
        SessionReader reader = new SessionReader(window, folder("source"), "");
        readers.add(reader);
        new HlsPackager(new Stepped(items, before), memory, window, List.of(sink, reader), barrier)
                .run();
        settle();
        return this;
    }

    /** All that the playlists and media of all sessions are found to be wrong in. */
    List<Finding> findings() {
        List<Finding> all = new ArrayList<>(findings);
        readers.forEach(each -> all.addAll(each.findings()));
        return all;
    }

    void close() throws InterruptedException {
        window.close();
        assertTrue(renditions.awaitIdle(PATIENCE));
        assertEquals(0, memory.liveBlocks());
    }

    /** What was published of a rendition; the newest run. */
    CollectingSink sinkOf(String name) {
        return Optional.ofNullable(sinks.get(name)).orElseThrow();
    }

    String playlist(String name) {
        return text(window.rendition(name).orElseThrow(), PlaylistKind.WINDOW);
    }

    private static Optional<String> shown(LivePlayback playback) {
        return playback.mediaPlaylist(PlaylistKind.WINDOW)
                .toCompletableFuture()
                .join()
                .map(RenditionRig::text);
    }

    static String text(LivePlayback playback, PlaylistKind kind) {
        return text(playback.mediaPlaylist(kind).toCompletableFuture().join().orElseThrow());
    }

    private static String text(RenderedPlaylist text) {
        byte[] plain = new byte[text.plain().sizeBytes()];
        text.plain().bytes().get(plain);
        text.release();
        return new String(plain, java.nio.charset.StandardCharsets.UTF_8);
    }

    private void settle() {
        try {
            assertTrue(renditions.awaitIdle(PATIENCE));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Optional<PlaylistEnd> now = window.playlists().end();
        if (judges && now.isPresent() && !now.equals(judged)) {
            judged = now;
            judge();
        }
    }

    private void judge() {
        Map<String, HlsPlaylist> all = new LinkedHashMap<>();
        Map<String, HlsPlaylist> separate = new LinkedHashMap<>();
        for (RenditionInfo each : renditions.list()) {
            if (each.running() && !each.name().startsWith("audio")) {
                all.put(each.name(), read(playlist(each.name())));
            }
            for (String name : List.of(each.name() + "-video", "audio-0", "audio-1")) {
                window.rendition(name)
                        .flatMap(RenditionRig::shown)
                        .ifPresent(found -> separate.put(name, read(found)));
            }
        }
        window.rendition("source-video")
                .flatMap(RenditionRig::shown)
                .ifPresent(found -> separate.put("source-video", read(found)));
        HlsPlaylist own = read(text(window, PlaylistKind.WINDOW));
        findings.addAll(RenditionRules.check(own, all, before));
        findings.addAll(RenditionRules.checkSeparate(own, separate));
        all.put("", own);
        before = all;
    }

    static String multivariant(RenditionRig rig) {
        return rig.window.multivariant("id/").orElse("");
    }

    /** Runs once, before the first video unit at a time. */
    static Consumer<FeedItem> at(List<FeedItem> source, long ms, Runnable action) {
        FeedItem first =
                source.stream()
                        .filter(
                                item ->
                                        item instanceof AccessUnit unit
                                                && unit.track().isVideo()
                                                && unit.dtsUs() >= ms * 1_000)
                        .findFirst()
                        .orElseThrow();
        return item -> {
            if (item.equals(first)) {
                action.run();
            }
        };
    }

    static List<FeedItem> steady(long startMs, long durationMs) {
        return timeline(0, startMs, durationMs);
    }

    static List<FeedItem> timeline(int sequence, long startMs, long durationMs) {
        List<FeedItem> items = new ArrayList<>();
        items.add(TestMedia.timeline(sequence, startMs, TestMedia.VIDEO, TestMedia.AUDIO));
        items.addAll(
                TestMedia.interleaved(
                        TestMedia.video(new TestMedia.Video(30, 60, startMs, durationMs)),
                        TestMedia.audio(startMs, durationMs)));
        return items;
    }

    private static HlsPlaylist read(String text) {
        return new ConformanceChecker().whole(text).orElseThrow();
    }

    /** The units of a rendition that is encoded here, without B-frames. */
    static List<FeedItem> encoded(List<? extends FeedItem> source, Track track, int everyNth) {
        List<FeedItem> items = new ArrayList<>();
        List<AccessUnit> timeline = new ArrayList<>();
        for (FeedItem item : source) {
            if (item instanceof AccessUnit unit) {
                if (unit.track().isVideo()) {
                    timeline.add(unit);
                }
                continue;
            }
            items.addAll(frames(timeline, track, everyNth));
            timeline.clear();
            items.add(
                    item instanceof Timeline started
                            ? new Timeline(
                                    started.sequence(),
                                    List.of(track),
                                    started.startUs(),
                                    started.startedAt())
                            : item);
        }
        items.addAll(frames(timeline, track, everyNth));
        return items;
    }

    private static List<AccessUnit> frames(List<AccessUnit> source, Track track, int everyNth) {
        List<AccessUnit> shown = new ArrayList<>(source);
        shown.sort(java.util.Comparator.comparingLong(AccessUnit::ptsTicks));
        List<AccessUnit> made = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            AccessUnit frame = shown.get(i);
            if (i % everyNth != 0 && !frame.idr()) {
                continue;
            }
            long dts = source.get(i).dtsTicks();
            byte[] payload = new byte[frame.idr() ? 90 : 30];
            payload[0] = (byte) i;
            made.add(
                    new AccessUnit(
                            track,
                            dts,
                            (int) (frame.ptsTicks() - dts),
                            frame.idr(),
                            MemorySegment.ofArray(payload)));
        }
        return made;
    }

    static Track track(int width, int height, String codecs) {
        return new Track(
                Track.VIDEO_ID,
                Timescale.VIDEO,
                new CodecConfig.Avc(
                        new AvcConfig(
                                MemorySegment.ofArray(new byte[] {1, 0x4d, 0, 0x1e}),
                                width,
                                height,
                                4,
                                0,
                                codecs)));
    }

    /** Passes one item at a time, when the renditions have packaged all before it. */
    private final class Stepped implements FeedReader {
        private final List<? extends FeedItem> items;
        private final Consumer<FeedItem> before;
        private int at;

        Stepped(List<? extends FeedItem> items, Consumer<FeedItem> before) {
            this.items = items;
            this.before = before;
        }

        @Override
        public boolean drain(Consumer<? super FeedItem> reader) {
            settle();
            if (at == items.size()) {
                return false;
            }
            FeedItem item = items.get(at++);
            before.accept(item);
            reader.accept(item);
            return true;
        }

        @Override
        public long droppedUnits() {
            return 0;
        }

        @Override
        public void handsOnTo(DoubleSupplier fullness) {}

        @Override
        public void close() {}
    }

    /** Two sinks, the second of which releases nothing. */
    private record Both(PartSink first, PartSink second) implements PartSink {
        @Override
        public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
            first.initSegment(number, timeline, bytes);
            second.initSegment(number, timeline, bytes);
        }

        @Override
        public void part(FinishedPart part) {
            first.part(part);
            second.part(part);
        }

        @Override
        public void sealed(SealedSegment segment) {
            first.sealed(segment);
            second.sealed(segment);
        }

        @Override
        public void end() {
            first.end();
            second.end();
        }
    }
}

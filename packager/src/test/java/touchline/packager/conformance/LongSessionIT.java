package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.hls.TestMedia.Video;

/** More than five minutes of what publishers do, and every playlist that comes of it. */
final class LongSessionIT {
    private static final int SECOND = 1_000;

    /** The same encoder with another frame size. */
    private static final Track SMALL =
            new Track(
                    Track.VIDEO_ID,
                    Timescale.VIDEO,
                    new CodecConfig.Avc(
                            new AvcConfig(
                                    MemorySegment.ofArray(new byte[] {1, 0x4d, 0, 0x1e}),
                                    640,
                                    360,
                                    4,
                                    25,
                                    "avc1.4d001e")));

    private static final Track MP3 =
            new Track(Track.AUDIO_ID, new Timescale(48_000), new CodecConfig.Mp3(48_000, 2));

    @TempDir private Path folder;

    @Test
    void low_everyPlaylistAndPart_conforms() {
        PackagerRig rig = rig(LatencyProfile.low(Duration.ofMillis(250)));
        SessionReader reader = run(rig, session());

        assertEquals(List.of(), reader.findings());
        assertTrue(reader.everyState.playlists() > 1_200, () -> "" + reader.everyState.playlists());
        assertTrue(reader.byDeltas.deltas() > 800, () -> "" + reader.byDeltas.deltas());
        assertTrue(reader.nowAndThen.deltas() > 40, () -> "" + reader.nowAndThen.deltas());
        assertTrue(reader.media.parts() > 1_200, () -> "" + reader.media.parts());
        assertTrue(reader.media.dependentSegments() > 2, "cuts without key frames");
        assertTrue(reader.everyState.hints() > 1_200, () -> "" + reader.everyState.hints());
        System.out.println(
                "hints " + reader.everyState.hints() + " wrong " + reader.everyState.wrongHints());
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void standard_everyPlaylistAndSegment_conforms() {
        PackagerRig rig = rig(LatencyProfile.standard());
        SessionReader reader = run(rig, session());

        assertEquals(List.of(), reader.findings());
        assertTrue(reader.everyState.playlists() > 60, () -> "" + reader.everyState.playlists());
        assertTrue(reader.rewinding.playlists() > 60, () -> "" + reader.rewinding.playlists());
        assertTrue(reader.media.dependentSegments() > 0, "cuts without key frames");
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    private PackagerRig rig(LatencyProfile profile) {
        return new PackagerRig(PackagerRig.settings(profile, 100, /* recorded= */ true));
    }

    private SessionReader run(PackagerRig rig, List<FeedItem> items) {
        SessionReader reader = new SessionReader(rig.window, folder);
        rig.feed(items).run(PublishBarrier.OPEN, List.of(reader));
        return reader;
    }

    private static List<FeedItem> session() {
        List<FeedItem> items = new ArrayList<>();
        steadyThenGone(items);
        otherSizeWithB(items);
        otherAudioWithoutKeyFrames(items);
        otherFrameRates(items);
        oneKindOnly(items);
        return items;
    }

    /** 30 frames a second counted in milliseconds; then the publisher's network goes. */
    private static void steadyThenGone(List<FeedItem> items) {
        items.add(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO));
        items.addAll(both(new Video(30, 60, 0, 60 * SECOND)));
        items.add(Interruption.PUBLISHER_GONE);
    }

    /** It comes back with another size, 25 frames a second and B-frames. */
    private static void otherSizeWithB(List<FeedItem> items) {
        int start = 67 * SECOND + 13;
        items.add(TestMedia.timeline(1, start, SMALL, TestMedia.AUDIO));
        Video spec = new Video(25, 50, start, 60 * SECOND);
        List<AccessUnit> frames =
                TestMedia.videoWithB(spec).stream()
                        .map(
                                unit ->
                                        unit.at(
                                                SMALL,
                                                unit.dtsTicks(),
                                                unit.compositionTimeOffsetTicks()))
                        .toList();
        items.addAll(TestMedia.interleaved(frames, TestMedia.audio(start, spec.durationMs())));
    }

    /** Another audio codec; and for 40 s a key frame only every 13 s. */
    private static void otherAudioWithoutKeyFrames(List<FeedItem> items) {
        int start = 127 * SECOND + 13;
        items.add(TestMedia.timeline(2, start, TestMedia.VIDEO, MP3));
        Video spec = new Video(30, 390, start, 52 * SECOND);
        List<AccessUnit> audioPart =
                TestMedia.audio(start, spec.durationMs()).stream()
                        .map(unit -> unit.at(MP3, unit.dtsTicks(), 0))
                        .toList();
        items.addAll(TestMedia.interleaved(TestMedia.video(spec), audioPart));
    }

    /** In one timeline: 30000/1001, 50, 25 and 24 frames a second. */
    private static void otherFrameRates(List<FeedItem> items) {
        int start = 180 * SECOND;
        items.add(TestMedia.timeline(3, start, TestMedia.VIDEO, TestMedia.AUDIO));
        List<AccessUnit> frames = new ArrayList<>();
        frames.addAll(TestMedia.video(new Video(30_000 / 1_001.0, 60, start, 30 * SECOND)));
        frames.addAll(TestMedia.video(new Video(50, 100, start + 30 * SECOND + 30, 20 * SECOND)));
        frames.addAll(TestMedia.video(new Video(25, 50, start + 50 * SECOND + 30, 20 * SECOND)));
        frames.addAll(TestMedia.video(new Video(24, 48, start + 70 * SECOND + 30, 20 * SECOND)));
        items.addAll(TestMedia.interleaved(frames, TestMedia.audio(start, 90 * SECOND)));
    }

    private static void oneKindOnly(List<FeedItem> items) {
        int start = 271 * SECOND;
        items.add(TestMedia.timeline(4, start, TestMedia.AUDIO));
        items.addAll(TestMedia.audio(start, 30 * SECOND));
        items.add(Interruption.PUBLISHER_GONE);
        int frames = start + 33 * SECOND;
        items.add(TestMedia.timeline(5, frames, TestMedia.VIDEO));
        items.addAll(TestMedia.video(new Video(30, 60, frames, 30 * SECOND)));
    }

    private static List<FeedItem> both(Video spec) {
        return TestMedia.interleaved(
                TestMedia.video(spec), TestMedia.audio(spec.startMs(), spec.durationMs()));
    }
}

package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;

/** A packager that fails continues in the same session, behind a discontinuity. */
@Timeout(120)
final class PackagerRestartTest {
    private static final String PLAYLIST =
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:100
            #EXT-X-DISCONTINUITY-SEQUENCE:0
            #EXT-X-MAP:URI="init0.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
            #EXTINF:%s,
            s100.m4s
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="init1.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:04.000Z
            #EXTINF:4.000000,
            s101.m4s
            #EXT-X-ENDLIST
            """;

    private static List<FeedItem> media(long durationMs) {
        List<AccessUnit> video = TestMedia.video(new TestMedia.Video(25, 50, 0, durationMs));
        return TestMedia.interleaved(video, TestMedia.audio(0, durationMs));
    }

    /** The third part fails: as after a part that moderation discards, without its end. */
    @Test
    void barrierThatFails_isFollowedByTheNextKeyFrame() {
        List<Long> asked = new ArrayList<>();
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO)).feed(media(8_000));

        rig.run(
                (_, lastPtsUs) -> {
                    asked.add(lastPtsUs);
                    if (asked.size() == 3) {
                        throw new IllegalStateException("barrier");
                    }
                    return PublishBarrier.Verdict.PASS;
                });

        assertEquals(PLAYLIST.formatted("2.000000"), rig.playlist());
        assertEquals(2, rig.sink.segments.size());
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** Memory for the part of the third second cannot be had. */
    @Test
    void memoryThatFails_isFollowedByTheNextKeyFrame() {
        CountedMemory memory = new CountedMemory();
        int[] calls = {0};
        MediaMemory failing =
                sizeBytes -> {
                    calls[0]++;
                    // The init segment, two parts, and the third.
                    if (calls[0] == 4) {
                        throw new IllegalStateException("no memory");
                    }
                    return memory.allocate(sizeBytes);
                };
        LiveWindow window =
                new LiveWindow(
                        PackagerRig.settings(LatencyProfile.standard(), 100, false),
                        new CountedMemory());
        CollectingSink sink = new CollectingSink();
        Feed feed = new Feed();
        HlsPackager packager =
                new HlsPackager(
                        feed.subscribe("packager", 64 << 20),
                        failing,
                        window,
                        List.of(sink),
                        PublishBarrier.OPEN);
        feed.offer(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO));
        media(8_000).forEach(feed::offer);
        feed.end();

        packager.run();

        assertEquals(2, sink.segments.size());
        assertEquals(2_000_000, sink.segments.get(0).durationUs());
        assertEquals(3_000_000, sink.segments.get(1).startUs());
        assertEquals(1, sink.segments.get(1).initNumber());
        assertTrue(sink.calls.contains("end"));
        window.close();
    }

    /** Media of a new timeline is packaged also where the end of the one before fails. */
    @Test
    void newTimelineThatFails_isPackagedAfterTheRestart() {
        int[] asked = {0};
        PackagerRig rig = new PackagerRig(LatencyProfile.standard());
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO)).feed(video(0, 1_500));
        rig.feed(TestMedia.timeline(1, 4_000, TestMedia.VIDEO)).feed(video(4_000, 4_000));

        rig.run(
                (_, _) -> {
                    asked[0]++;
                    // The rest of the first timeline.
                    if (asked[0] == 2) {
                        throw new IllegalStateException("barrier");
                    }
                    return PublishBarrier.Verdict.PASS;
                });

        assertEquals(PLAYLIST.formatted("1.000000"), rig.playlist());
    }

    private static List<AccessUnit> video(long startMs, long durationMs) {
        return TestMedia.video(new TestMedia.Video(25, 50, startMs, durationMs));
    }
}

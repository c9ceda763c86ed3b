package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.RenditionRig.MEDIUM;
import static touchline.packager.hls.RenditionRig.SMALL;
import static touchline.packager.hls.RenditionRig.at;
import static touchline.packager.hls.RenditionRig.multivariant;
import static touchline.packager.hls.RenditionRig.steady;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.FeedItem;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** Which playlists name renditions, and how. */
final class RenditionPlaylistsTest {
    private static final LatencyProfile STANDARD = LatencyProfile.standard();
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    @TempDir private Path folder;

    @Test
    void multivariantPlaylist_listsRunningRenditionsInFallingHeight() throws InterruptedException {
        List<FeedItem> source = steady(0, 12_000);
        RenditionRig rig = new RenditionRig(STANDARD, folder);
        Feed small = rig.begin("360p");
        rig.rendition("480p", RenditionRig.encoded(source, MEDIUM, 1));
        RenditionRig.encoded(source, SMALL, 2).forEach(small::offer);
        small.flush();
        small.end();
        List<String> seen = new ArrayList<>();
        List<RenditionInfo> infos = new ArrayList<>();
        rig.run(
                source,
                PublishBarrier.OPEN,
                at(
                        source,
                        11_000,
                        () -> {
                            seen.add(multivariant(rig));
                            infos.addAll(rig.renditions.list());
                        }));

        List<String> lines = seen.getFirst().lines().toList();
        assertEquals(8, lines.size(), seen::getFirst);
        assertEquals("id/session-1/media.m3u8", lines.get(3));
        assertEquals("id/session-1/480p/media.m3u8", lines.get(5));
        assertEquals("id/session-1/360p/media.m3u8", lines.get(7));
        assertTrue(lines.get(4).contains("CODECS=\"avc1.4d001f,mp4a.40.2\",RESOLUTION=854x480"));
        assertTrue(lines.get(4).contains(",FRAME-RATE=30.000,CLOSED-CAPTIONS=NONE"));
        assertTrue(lines.get(6).contains(",FRAME-RATE=15.000,CLOSED-CAPTIONS=NONE"), lines.get(6));
        assertFalse(seen.getFirst().contains("SCORE"));
        RenditionInfo info = infos.getFirst();
        assertEquals("360p", infos.get(1).name());
        assertEquals("480p 854x480", info.name() + ' ' + info.width() + 'x' + info.height());
        assertTrue(lines.get(4).contains("BANDWIDTH=" + info.peakBps() + ","), lines.get(4));
        assertTrue(info.averageBps() > 0 && info.averageBps() <= info.peakBps(), info::toString);
        assertTrue(multivariant(rig).isEmpty(), "after the end");
        rig.close();
    }

    @Test
    void firstSegment_isNotNamedBeforeItsRenditions() throws InterruptedException {
        List<FeedItem> source = steady(0, 6_000);
        RenditionRig rig =
                new RenditionRig(LOW, folder).withoutComparison().rendition("480p", List.of());
        List<String> seen = new ArrayList<>();
        Consumer<FeedItem> watch =
                at(source, 1_500, () -> seen.add(multivariant(rig)))
                        .andThen(at(source, 3_500, () -> seen.add(multivariant(rig))));

        rig.run(source, PublishBarrier.OPEN, watch);

        assertEquals("", seen.getFirst());
        assertTrue(seen.getLast().contains("media.m3u8"), seen::getLast);
        assertFalse(seen.getLast().contains("480p"), seen::getLast);
        rig.close();
    }

    @Test
    void fromTheStart_onlyTheSourceIsNamed() throws InterruptedException {
        List<FeedItem> source = steady(0, 12_000);
        RenditionRig rig = new RenditionRig(STANDARD, folder);
        rig.rendition("480p", RenditionRig.encoded(source, MEDIUM, 1));
        List<String> seen = new ArrayList<>();
        rig.run(
                source,
                PublishBarrier.OPEN,
                at(
                        source,
                        11_000,
                        () -> {
                            seen.add(rig.window.sourceMultivariant("id/").orElseThrow());
                            seen.add(new DvrPlayback(rig.window).multivariant("id/").orElseThrow());
                        }));

        for (String text : seen) {
            assertEquals(1, text.split("EXT-X-STREAM-INF", -1).length - 1, text);
        }
        rig.close();
    }

    @Test
    void withoutRenditions_playlistsAreAsBefore() throws InterruptedException {
        List<FeedItem> source = steady(0, 12_000);
        RenditionRig rig = new RenditionRig(LOW, folder);
        PackagerRig alone = new PackagerRig(LOW).feed(source).run();
        List<String> seen = new ArrayList<>();
        rig.run(source, PublishBarrier.OPEN, at(source, 11_000, () -> seen.add(multivariant(rig))));

        assertEquals(alone.playlist(), RenditionRig.text(rig.window, PlaylistKind.WINDOW));
        assertEquals(1, seen.getFirst().split("EXT-X-STREAM-INF", -1).length - 1);
        alone.window.close();
        rig.close();
    }

    @Test
    void namesThatAreNoElementOfAnAddress_areRejected() throws InterruptedException {
        RenditionRig rig = new RenditionRig(LOW, folder);
        for (String name : List.of("", "media.m3u8", "a/b", "~x", "-", "é", "x".repeat(33))) {
            assertThrows(IllegalArgumentException.class, () -> rig.begin(name), name);
        }
        rig.close();
    }

    @Test
    void otherCodec_isScored_theSourceFirst() {
        String text =
                MultivariantPlaylist.text(
                        List.of(
                                variant("hvc1.1.6.L93.90", Captions.NONE, "a"),
                                variant("avc1.4d001f", Captions.NONE, "b"),
                                variant("avc1.4d001e", Captions.NONE, "c")));

        assertEquals(
                List.of("3", "2", "1"),
                text.lines()
                        .filter(line -> line.contains("SCORE="))
                        .map(line -> line.substring(line.indexOf("SCORE=") + 6))
                        .toList());
    }

    /** NONE is for all variants or for none. */
    @Test
    void captionsInTheSourceOnly_areNamedThere_andDeniedNowhere() {
        List<String> lines =
                MultivariantPlaylist.text(
                                List.of(
                                        variant("avc1.4d001f", Captions.IN_VIDEO, "a"),
                                        variant("avc1.4d001e", Captions.NONE, "b")))
                        .lines()
                        .toList();

        assertTrue(lines.get(2).startsWith("#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS"));
        assertTrue(lines.get(3).endsWith(",CLOSED-CAPTIONS=\"cc\""), lines.get(3));
        assertFalse(lines.get(5).contains("CLOSED-CAPTIONS"), lines.get(5));
    }

    private static MultivariantPlaylist.Variant variant(
            String codecs, Captions captions, String uri) {
        return new MultivariantPlaylist.Variant(
                new MultivariantPlaylist(
                        List.of(RenditionRig.track(640, 360, codecs).codec()),
                        2,
                        1,
                        30,
                        /* independentSegments= */ false,
                        captions),
                uri);
    }
}

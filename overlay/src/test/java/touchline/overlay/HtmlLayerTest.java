package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;
import touchline.media.ffmpeg.Colour;

final class HtmlLayerTest {
    private static final Canvas CANVAS = new Canvas(64, 48, Colour.BT601);
    private static final Canvas LARGER = new Canvas(128, 96, Colour.BT601);
    private static final int GREY = 120;

    private final FakePages pages = new FakePages();
    private final List<String> events = new ArrayList<>();
    private long nowNs = 1_000;
    private final HtmlLayer layer =
            new HtmlLayer(
                    new StreamId("str_1"),
                    html("http://a/"),
                    pages,
                    new RecordingListener(),
                    () -> nowNs);

    private final class RecordingListener implements HtmlLayer.Listener {
        @Override
        public void loaded() {
            events.add("loaded");
        }

        @Override
        public void failed(String reason) {
            events.add("failed " + reason);
        }

        @Override
        public void recovered() {
            events.add("recovered");
        }
    }

    @Test
    void canvas_known_opensThePageAtItsBox() {
        layer.canvas(CANVAS);

        FakePages.Page page = pages.pages.getFirst();
        assertEquals(32, page.request.widthPixels());
        assertEquals(24, page.request.heightPixels());
        assertEquals("str_1", page.request.streamId());
        assertEquals(Optional.empty(), layer.frameAt(0));
    }

    @Test
    void firstFrame_isShownAndReported() {
        layer.canvas(CANVAS);
        page(0).listener.loaded();
        page(0).paint(255, 255, 255, 255);

        assertEquals(235, luma());
        assertEquals(List.of("loaded"), events);
    }

    @Test
    void frameAt_sendsThePageTheTime() {
        layer.canvas(CANVAS);
        layer.frameAt(5_000);
        assertEquals(5_000, page(0).mediaTimeUs);
        page(0).paint(255, 255, 255, 255);
        layer.frameAt(6_000);

        assertEquals(6_000, page(0).mediaTimeUs);
    }

    @Test
    void change_newAddress_keepsTheOldPageUntilTheNewHasAFrame() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);

        layer.change(html("http://b/"));
        assertEquals("http://b/", page(1).request.url());
        assertEquals(235, luma());
        assertFalse(page(0).closed);

        page(1).paint(0, 0, 0, 255);
        assertEquals(16, luma());
        assertTrue(page(0).closed);
        assertEquals(List.of("loaded", "loaded"), events);
    }

    @Test
    void change_twiceQuickly_givesTheOneBetweenUp() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);
        layer.change(html("http://b/"));
        layer.change(html("http://c/"));

        assertTrue(page(1).closed);
        page(1).paint(0, 0, 0, 255);
        assertEquals(235, luma());
        page(2).paint(0, 0, 0, 255);
        assertEquals(16, luma());
    }

    @Test
    void change_onlyTheTimeout_loadsNothing() {
        layer.canvas(CANVAS);
        layer.change(
                new OverlaySpec.Html("http://a/", Duration.ofSeconds(3), html("").placement()));

        assertEquals(1, pages.pages.size());
    }

    @Test
    void change_nothing_loadsAnew() {
        layer.canvas(CANVAS);
        layer.change(html("http://a/"));

        assertEquals(2, pages.pages.size());
    }

    @Test
    void failedPage_isShownForFiveSecondsThenNot_andComesBack() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);

        page(0).listener.failed("it hangs", 0);
        nowNs += HtmlLayer.STALE_AFTER_NS - 1;
        assertEquals(235, luma());
        nowNs += 1;
        assertEquals(GREY, luma());

        page(0).listener.recovered();
        assertEquals(GREY, luma());
        page(0).paint(0, 0, 0, 255);
        assertEquals(16, luma());
        assertEquals(List.of("loaded", "failed it hangs", "recovered"), events);
    }

    @Test
    void failedPage_thatHasBeenSilentBefore_isShownForTheRestOfFiveSeconds() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);

        page(0).listener.failed("it hangs", 4_000_000_000L);
        nowNs += 1_000_000_000L - 1;
        assertEquals(235, luma());
        nowNs += 1;
        assertEquals(GREY, luma());
    }

    @Test
    void pageThatNeverLoads_isReportedAndRecovers() {
        layer.canvas(CANVAS);
        page(0).listener.failed("not found", 0);
        assertEquals(GREY, luma());
        page(0).paint(0, 0, 0, 255);

        assertEquals(List.of("failed not found", "recovered"), events);
    }

    @Test
    void newAddressThatFails_letsTheOldPageGoAfterFiveSeconds() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);
        layer.change(html("http://b/"));
        page(1).listener.failed("not found", 0);

        assertEquals(235, luma());
        nowNs += HtmlLayer.STALE_AFTER_NS;
        assertEquals(GREY, luma());
    }

    @Test
    void canvas_another_opensThePageAnewWithoutNews() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);
        layer.canvas(LARGER);

        assertEquals(64, page(1).request.widthPixels());
        page(1).paint(255, 255, 255, 255);
        assertTrue(page(0).closed);
        assertEquals(LARGER, layer.frameAt(0).orElseThrow().canvas());
        assertEquals(List.of("loaded"), events);
    }

    @Test
    void close_endsEveryPageAndReportsNothingMore() {
        layer.canvas(CANVAS);
        page(0).paint(255, 255, 255, 255);
        layer.change(html("http://b/"));
        layer.close();
        page(0).listener.failed("gone", 0);

        assertTrue(page(0).closed);
        assertTrue(page(1).closed);
        assertEquals(Optional.empty(), layer.frameAt(0));
        assertEquals(List.of("loaded"), events);
    }

    /** Colour in the middle of the box, over a grey background. */
    private int luma() {
        Ground ground = new Ground(CANVAS, new int[] {GREY, 128, 128});
        layer.frameAt(0).ifPresent(ground::blend);
        return ground.sample(0, 16, 12);
    }

    private FakePages.Page page(int index) {
        return pages.pages.get(index);
    }

    private static OverlaySpec.Html html(String url) {
        Placement.Axis half = new Placement.Axis(50, Placement.Align.START, 0);
        return new OverlaySpec.Html(
                url, Duration.ofSeconds(10), new Placement(half, half, /* opacityPercent= */ 100));
    }
}

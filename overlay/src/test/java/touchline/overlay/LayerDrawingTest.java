package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.FrameTap;

final class LayerDrawingTest {
    /** A tap belongs to moderation: without it a session would go on unmoderated. */
    @Test
    void tapThatThrows_getsTheNextFrame() {
        List<Long> offered = new ArrayList<>();
        FrameTap tap =
                new FrameTap() {
                    @Override
                    public boolean isDue(long ptsUs) {
                        return true;
                    }

                    @Override
                    public void offer(FrameView frame) {
                        offered.add(frame.ptsUs());
                        if (offered.size() == 1) {
                            throw new IllegalStateException("injected");
                        }
                    }
                };
        Canvas canvas = new Canvas(64, 36, Colour.BT709);
        try (LayerDrawing drawing = new LayerDrawing(new CompositorCounters());
                VideoFrame frame = VideoFrame.allocate(canvas.format())) {
            drawing.addTap(tap);
            for (int i = 0; i < 3; i++) {
                frame.ptsTicks(i * 90_000L);
                drawing.draw(canvas, frame);
            }
        }

        assertEquals(List.of(0L, 1_000_000L, 2_000_000L), offered);
    }
}

package touchline.overlay.scoreboard;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.imageio.ImageIO;

/** A scoreboard that the test sets. */
final class FakeScoreboards implements ScoreboardSource {
    private final List<Consumer<String>> watchers = new CopyOnWriteArrayList<>();
    private final List<String> streams = new CopyOnWriteArrayList<>();
    private volatile String shown;
    private final byte[] logo;

    FakeScoreboards(String shown) {
        this.shown = shown;
        this.logo = logo();
    }

    /** Quarters from the left: yellow, nothing, black, yellow. */
    private static byte[] logo() {
        BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_ARGB);
        int[] quarters = {0xffffd000, 0, 0xff000000, 0xffffd000};
        for (int i = 0; i < 64 * 64; i++) {
            image.setRGB(i % 64, i / 64, quarters[i % 64 / 16]);
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return png.toByteArray();
    }

    /** State of football for the page; a goal, if there is one, is scored now. */
    static String board(String homeColor, int homeScore, boolean goal) {
        return """
        {"sport": "football", "visible": true, "period": "2nd half",
         "home": {"name": "Riverside", "short_name": "RIV", "color": "%s", "score": %d,
                  "logo_image_id": "img_logo", "counters": {"red_cards": 1}},
         "away": {"name": "Harbour City", "short_name": "HBC", "color": "#2b4aa8", "score": 1,
                  "logo_image_id": null, "counters": {"red_cards": 0}},
         "clock": {"running": true, "elapsed_ms": 3723000, "at_ms": %d, "played_ms": 3723000,
                   "direction": "up", "period_ms": 2700000},
         "sets": [], "serving": null, "penalties": [], "sponsor_image_id": null,
         "rules": {"banner": "GOAL", "periods": [{}], "counters": [], "sets": null},
         "goal": %s}
        """
                .formatted(
                        homeColor,
                        homeScore,
                        System.currentTimeMillis(),
                        goal
                                ? "{\"team\": \"home\", \"scorer\": \"9 Keller\", \"at_ms\": %d}"
                                        .formatted(System.currentTimeMillis())
                                : "null");
    }

    void show(String text) {
        shown = text;
        watchers.forEach(watcher -> watcher.accept(text));
    }

    /** Requested stream ids, in order. */
    List<String> streams() {
        return List.copyOf(streams);
    }

    int watchers() {
        return watchers.size();
    }

    @Override
    public Optional<Image> image(String streamId, String imageId) {
        return imageId.equals("img_logo")
                ? Optional.of(new Image("image/png", logo))
                : Optional.empty();
    }

    @Override
    public Watch watch(String streamId, Consumer<String> listener) {
        streams.add(streamId);
        listener.accept(shown);
        watchers.add(listener);
        return () -> watchers.remove(listener);
    }
}

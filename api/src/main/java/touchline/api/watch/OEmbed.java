package touchline.api.watch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalInt;

/** The embedded player as <a href="https://oembed.com/">oEmbed 1.0</a>, type video. Stateless. */
final class OEmbed {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;

    private OEmbed() {}

    /**
     * An embedded player.
     *
     * @param title of what is shown
     * @param site its name; may be empty
     * @param siteUrl address of the playback port
     * @param embedUrl its own address
     * @param thumbnailUrl of its poster; empty for none
     */
    record Player(
            String title, String site, String siteUrl, String embedUrl, String thumbnailUrl) {}

    /**
     * @param maxWidth pixels that the site has for it
     * @param maxHeight likewise
     */
    static String json(Player player, OptionalInt maxWidth, OptionalInt maxHeight) {
        double fit =
                Math.min(
                        Math.max(1, maxWidth.orElse(WIDTH)) / (double) WIDTH,
                        Math.max(1, maxHeight.orElse(HEIGHT)) / (double) HEIGHT);
        int width = (int) (WIDTH * Math.min(1, fit));
        int height = (int) (HEIGHT * Math.min(1, fit));
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("version", "1.0")
                        .put("type", "video")
                        .put("title", player.title())
                        .put("provider_name", player.site().isEmpty() ? "Touchline" : player.site())
                        .put("provider_url", player.siteUrl())
                        .put("width", width)
                        .put("height", height)
                        .put(
                                "html",
                                "<iframe src=\"%s\" width=\"%d\" height=\"%d\" title=\"%s\" style=\"border:0\" allow=\"autoplay; fullscreen; picture-in-picture\" allowfullscreen></iframe>"
                                        .formatted(
                                                Html.escape(player.embedUrl()),
                                                width,
                                                height,
                                                Html.escape(player.title())));
        if (!player.thumbnailUrl().isEmpty()) {
            json.put("thumbnail_url", player.thumbnailUrl())
                    .put("thumbnail_width", width)
                    .put("thumbnail_height", height);
        }
        return json.toString();
    }
}

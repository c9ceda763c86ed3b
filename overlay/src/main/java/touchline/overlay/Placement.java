package touchline.overlay;

import java.util.Optional;

/**
 * Position, size and opacity of a scoreboard. Percentages refer to the frame's width and height.
 * Immutable, any thread.
 *
 * @param horizontal width and horizontal position
 * @param vertical height and vertical position
 * @param opacityPercent 0 to 100
 */
public record Placement(Axis horizontal, Axis vertical, double opacityPercent) {
    /** The whole frame for a page, the upper left corner for an overlay stream; opaque. */
    public static final Placement DEFAULT = new Placement(Axis.DEFAULT, Axis.DEFAULT, 100);

    private static final double STREAM_WIDTH_PERCENT = 25;
    private static final double ALL_PERCENT = 100;

    public Placement {
        if (!(opacityPercent >= 0 && opacityPercent <= ALL_PERCENT)) {
            throw new IllegalArgumentException("opacity: " + opacityPercent + " (0..100)");
        }
    }

    /** Edge of the frame that the margin refers to. */
    public enum Align {
        START,
        MIDDLE,
        END;

        /**
         * Reads {@code vertical_align} or {@code horizontal_align}.
         *
         * @throws IllegalArgumentException an unknown word
         */
        public static Align parse(String word) {
            return switch (word) {
                case "top", "left" -> START;
                case "middle", "center" -> MIDDLE;
                case "bottom", "right" -> END;
                default ->
                        throw new IllegalArgumentException(
                                "alignment: "
                                        + word
                                        + " (expected: top, middle, bottom, left, center, right)");
            };
        }
    }

    /**
     * One direction.
     *
     * @param sizePercent above 0, at most 100; 0 if derived from the other direction
     * @param align edge for the margin
     * @param marginPercent distance from that edge; from the middle it counts right and down
     */
    public record Axis(double sizePercent, Align align, double marginPercent) {
        /** Derived size, at the left or top edge. */
        public static final Axis DEFAULT = new Axis(0, Align.START, 0);

        public Axis {
            requirePercent("size", sizePercent);
            requirePercent("margin", marginPercent);
        }

        /**
         * Parses the API's values; absent ones have defaults.
         *
         * @throws IllegalArgumentException an invalid percentage or alignment
         */
        public static Axis parse(
                Optional<String> size, Optional<String> align, Optional<String> margin) {
            return new Axis(
                    size.map(Placement::percent).orElse(0.0),
                    align.map(Align::parse).orElse(Align.START),
                    margin.map(Placement::percent).orElse(0.0));
        }

        /** Start of a box of this length. */
        private int position(int whole, int length) {
            double margin = whole * marginPercent / ALL_PERCENT;
            return (int)
                    Math.round(
                            switch (align) {
                                case START -> margin;
                                case MIDDLE -> (whole - length) / 2.0 + margin;
                                case END -> whole - length - margin;
                            });
        }

        private static void requirePercent(String what, double value) {
            if (!(value >= 0 && value <= ALL_PERCENT)) {
                throw new IllegalArgumentException(what + ": " + value + " (0..100)");
            }
        }
    }

    /**
     * Reads {@code 25%}.
     *
     * @throws IllegalArgumentException any other form
     */
    public static double percent(String text) {
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException("percentage: " + text + " (expected: 25%)");
        }
        return Double.parseDouble(text.substring(0, text.length() - 1));
    }

    /**
     * The box of a page. A missing side keeps the frame's aspect ratio; without both, the page
     * fills the frame. The frame clips the box.
     */
    public CanvasBox pageBox(int canvasWidth, int canvasHeight) {
        double width = horizontal.sizePercent;
        double height = vertical.sizePercent;
        double other = Math.max(width, height) == 0 ? ALL_PERCENT : Math.max(width, height);
        return box(
                canvasWidth,
                canvasHeight,
                canvasWidth * (width == 0 ? other : width) / ALL_PERCENT,
                canvasHeight * (height == 0 ? other : height) / ALL_PERCENT);
    }

    /**
     * The box of an overlay stream. A missing side keeps the video's aspect ratio; without both, it
     * is a quarter of the frame's width. The frame clips the box.
     *
     * @param width display width of the overlay video
     * @param height likewise
     */
    public CanvasBox videoBox(int canvasWidth, int canvasHeight, int width, int height) {
        double shape = (double) width / height;
        double widthPercent = horizontal.sizePercent;
        double heightPercent = vertical.sizePercent;
        if (widthPercent == 0 && heightPercent == 0) {
            widthPercent = STREAM_WIDTH_PERCENT;
        }
        double boxWidth = canvasWidth * widthPercent / ALL_PERCENT;
        double boxHeight = canvasHeight * heightPercent / ALL_PERCENT;
        return box(
                canvasWidth,
                canvasHeight,
                widthPercent == 0 ? boxHeight * shape : boxWidth,
                heightPercent == 0 ? boxWidth / shape : boxHeight);
    }

    private CanvasBox box(int canvasWidth, int canvasHeight, double width, double height) {
        int boxWidth = side(width);
        int boxHeight = side(height);
        return new CanvasBox(
                horizontal.position(canvasWidth, boxWidth),
                vertical.position(canvasHeight, boxHeight),
                boxWidth,
                boxHeight);
    }

    private static int side(double pixels) {
        return Math.clamp(Math.round(pixels), 1, CanvasBox.MAX_SIDE);
    }
}

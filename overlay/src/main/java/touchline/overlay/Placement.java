package touchline.overlay;

import java.util.Optional;

/**
 * Where a scoreboard stands in the frame, and how much of the frame shows through. Percentages are
 * of the frame's width and height. Immutable, any thread; pure arithmetic.
 *
 * @param horizontal width, and place from left to right
 * @param vertical height, and place from top to bottom
 * @param opacityPercent 0 to 100
 */
public record Placement(Axis horizontal, Axis vertical, double opacityPercent) {
    /** All of the frame for a page, the upper left corner for a second video; opaque. */
    public static final Placement DEFAULT = new Placement(Axis.DEFAULT, Axis.DEFAULT, 100);

    private static final double STREAM_WIDTH_PERCENT = 25;
    private static final double ALL_PERCENT = 100;

    public Placement {
        if (!(opacityPercent >= 0 && opacityPercent <= ALL_PERCENT)) {
            throw new IllegalArgumentException("opacity: " + opacityPercent + " (0..100)");
        }
    }

    /** From which side of the frame a place is counted. */
    public enum Align {
        START,
        MIDDLE,
        END;

        /**
         * Reads {@code vertical_align} or {@code horizontal_align}.
         *
         * @throws IllegalArgumentException another word
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
     * @param sizePercent above 0, at most 100; 0 where it follows from the other direction
     * @param align the side
     * @param marginPercent distance from that side; from the middle it counts to the right, and
     *     downwards
     */
    public record Axis(double sizePercent, Align align, double marginPercent) {
        /** Size not given, at the left or the top. */
        public static final Axis DEFAULT = new Axis(0, Align.START, 0);

        public Axis {
            requirePercent("size", sizePercent);
            requirePercent("margin", marginPercent);
        }

        /**
         * Reads the texts of the API; an absent one has its default.
         *
         * @throws IllegalArgumentException a text that is no percentage, or no alignment
         */
        public static Axis parse(
                Optional<String> size, Optional<String> align, Optional<String> margin) {
            return new Axis(
                    size.map(Placement::percent).orElse(0.0),
                    align.map(Align::parse).orElse(Align.START),
                    margin.map(Placement::percent).orElse(0.0));
        }

        /** Where a length begins in the whole. */
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
     * @throws IllegalArgumentException another form
     */
    public static double percent(String text) {
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException("percentage: " + text + " (expected: 25%)");
        }
        return Double.parseDouble(text.substring(0, text.length() - 1));
    }

    /**
     * The box of a page: a missing side keeps the frame's shape, without both the page fills it. It
     * may reach beyond the frame, which cuts it.
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
     * The box of a second video: a missing side keeps that video's shape, without both it is a
     * quarter of the frame's width. It may reach beyond the frame, which cuts it.
     *
     * @param width of the second video as it is shown
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

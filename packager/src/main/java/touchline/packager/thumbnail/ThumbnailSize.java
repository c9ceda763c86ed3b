package touchline.packager.thumbnail;

/**
 * Size of a thumbnail: even, with the aspect of the frame as players show it, never larger than
 * that, and no side above {@link ThumbnailRequest#MAX_SIDE}. Immutable.
 */
record ThumbnailSize(int width, int height) {
    private static final int SMALLEST = 2;

    /**
     * @param width of the coded frame
     * @param height of the coded frame
     * @param sampleAspect width of a sample by its height
     */
    static ThumbnailSize of(int width, int height, double sampleAspect, int maxWidth) {
        double shown = width * sampleAspect;
        double scale =
                Math.min(
                        Math.min(1, maxWidth / shown),
                        Math.min(1, (double) ThumbnailRequest.MAX_SIDE / height));
        return new ThumbnailSize(even(shown * scale, shown), even(height * scale, height));
    }

    /** The nearest even number that is not above what there is, but for what was rounded off. */
    private static int even(double side, double most) {
        int nearest = (int) Math.round(side / 2) * 2;
        return Math.max(SMALLEST, nearest > most + 0.5 ? nearest - 2 : nearest);
    }
}

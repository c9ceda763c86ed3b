package touchline.benchmarks.players;

/** The players, each with its defaults. */
enum PlayerKind {
    HLS_JS("hls"),
    SHAKA("shaka"),
    VIDEO_JS("videojs"),
    FFMPEG("ffmpeg"),
    GSTREAMER("gstreamer");

    private final String argument;

    PlayerKind(String argument) {
        this.argument = argument;
    }

    /** Its name on the command line, and in the address of the page. */
    String argument() {
        return argument;
    }

    /** It runs in Chromium. */
    boolean isWeb() {
        return switch (this) {
            case HLS_JS, SHAKA, VIDEO_JS -> true;
            case FFMPEG, GSTREAMER -> false;
        };
    }
}

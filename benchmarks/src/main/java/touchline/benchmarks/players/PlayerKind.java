package touchline.benchmarks.players;

/** The players, each with the settings that docs/playback.md names. */
enum PlayerKind {
    HLS_JS("hls"),
    /** hls.js as the watch page and the console set it up. */
    PAGES("pages"),
    SHAKA("shaka"),
    VIDEO_JS("videojs"),
    /** Chromium's own HLS, without a script. */
    CHROMIUM("chromium"),
    FFMPEG("ffmpeg"),
    GSTREAMER("gstreamer"),
    MPV("mpv"),
    VLC("vlc");

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
            case HLS_JS, PAGES, SHAKA, VIDEO_JS, CHROMIUM -> true;
            case FFMPEG, GSTREAMER, MPV, VLC -> false;
        };
    }

    /** It supports LL-HLS. */
    boolean isLowLatency() {
        return switch (this) {
            case HLS_JS, PAGES, SHAKA, VIDEO_JS -> true;
            case CHROMIUM, FFMPEG, GSTREAMER, MPV, VLC -> false;
        };
    }
}

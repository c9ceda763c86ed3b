package touchline.benchmarks.players;

/** What is played. */
enum Scenario {
    LIVE_LOW("live-low", "live, low", "low"),
    LIVE_STANDARD("live-standard", "live, standard", "standard"),
    DVR("dvr", "dvr=1, low", "low"),
    GROWING_ASSET("growing", "growing asset, low", "low"),
    RECONNECT("reconnect", "encoder away for 3 s, low", "low"),
    OTHER_SIZE("other-size", "encoder returns with another size, low", "low"),
    VOD("vod", "finished asset", "low");

    private final String argument;
    private final String title;
    private final String latencyMode;

    Scenario(String argument, String title, String latencyMode) {
        this.argument = argument;
        this.title = title;
        this.latencyMode = latencyMode;
    }

    /** Its name on the command line. */
    String argument() {
        return argument;
    }

    String title() {
        return title;
    }

    String latencyMode() {
        return latencyMode;
    }

    /** Frames are shown as they are pushed, so that their age says how far behind a player is. */
    boolean isLive() {
        return switch (this) {
            case LIVE_LOW, LIVE_STANDARD, RECONNECT, OTHER_SIZE -> true;
            case DVR, GROWING_ASSET, VOD -> false;
        };
    }

    /** The encoder goes away and returns. */
    boolean hasReturn() {
        return this == RECONNECT || this == OTHER_SIZE;
    }

    /** The most seconds behind live of a player in a browser. */
    double targetS() {
        return latencyMode.equals("low") ? 1.5 : 13;
    }
}

package touchline.benchmarks.players;

import java.util.List;
import java.util.OptionalDouble;
import touchline.benchmarks.load.CameraSource;

/** What is played. */
enum Scenario {
    LIVE_LOW("live-low", "live, low", "low"),
    RECONNECT("reconnect", "encoder away for 3 s, low", "low"),
    OTHER_SIZE("other-size", "encoder returns with another size, low", "low"),
    LIVE_STANDARD("live-standard", "live, standard", "standard"),
    OTHER_SIZE_STANDARD(
            "other-size-standard", "encoder returns with another size, standard", "standard"),
    DVR("dvr", "dvr=1, low", "low"),
    GROWING_ASSET("growing", "growing asset, low", "low"),
    VOD("vod", "finished asset", "low");

    private static final double LOW_TARGET_S = 1.5;
    private static final double STANDARD_TARGET_S = 13;

    /**
     * No part is hinted behind a discontinuity, and video.js then asks for the whole segment. It
     * does not catch up.
     */
    private static final double SEGMENT_S = 2;

    private final String argument;
    private final String title;
    private final String latencyMode;

    Scenario(String argument, String title, String latencyMode) {
        this.argument = argument;
        this.title = title;
        this.latencyMode = latencyMode;
    }

    /** Scenarios that one player plays without an interruption, in their order. */
    static List<List<Scenario>> liveChains() {
        return List.of(
                List.of(LIVE_LOW, RECONNECT, OTHER_SIZE),
                List.of(LIVE_STANDARD, OTHER_SIZE_STANDARD));
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
            case LIVE_LOW, LIVE_STANDARD, RECONNECT, OTHER_SIZE, OTHER_SIZE_STANDARD -> true;
            case DVR, GROWING_ASSET, VOD -> false;
        };
    }

    /** The encoder goes away and returns. */
    boolean hasReturn() {
        return switch (this) {
            case RECONNECT, OTHER_SIZE, OTHER_SIZE_STANDARD -> true;
            case LIVE_LOW, LIVE_STANDARD, DVR, GROWING_ASSET, VOD -> false;
        };
    }

    /** The player seeks back. Chromium's own HLS cannot seek in what grows; programs do not. */
    boolean isRewound(PlayerKind kind) {
        return !isLive() && kind.isWeb() && (kind != PlayerKind.CHROMIUM || this == VOD);
    }

    /** What the encoder sends, behind its return if there is one. */
    CameraSource source() {
        return switch (this) {
            case OTHER_SIZE, OTHER_SIZE_STANDARD -> CameraSource.NUMBERED_SMALLER;
            case LIVE_LOW, LIVE_STANDARD, RECONNECT, DVR, GROWING_ASSET, VOD ->
                    CameraSource.NUMBERED_SMALL;
        };
    }

    /** The most seconds behind live of this player; empty where there is no target. */
    OptionalDouble targetS(PlayerKind kind) {
        if (!isLive() || !kind.isWeb()) {
            return OptionalDouble.empty();
        }
        if (latencyMode.equals("standard")) {
            return OptionalDouble.of(STANDARD_TARGET_S);
        }
        if (!kind.isLowLatency()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                kind == PlayerKind.VIDEO_JS && hasReturn()
                        ? LOW_TARGET_S + SEGMENT_S
                        : LOW_TARGET_S);
    }
}

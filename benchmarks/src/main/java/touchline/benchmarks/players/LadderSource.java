package touchline.benchmarks.players;

import touchline.benchmarks.load.CameraSource;

/** A source of numbered frames with its renditions. */
enum LadderSource {
    /**
     * 720p at 2.5 Mbit/s. Two renditions fit into a slow network: hls.js does not abandon a segment
     * that is on the way for its lowest level.
     */
    LARGE(
            CameraSource.NUMBERED,
            "{\"height\":480,\"video_bitrate\":900000},{\"height\":360,\"video_bitrate\":250000},"
                    + "{\"height\":240,\"video_bitrate\":150000}"),

    /** 360p at 0.7 Mbit/s, for machines that do other work too: no load drops a rendition. */
    SMALL(
            CameraSource.NUMBERED_SMALL,
            "{\"height\":240,\"video_bitrate\":250000},{\"height\":180,\"video_bitrate\":150000},"
                    + "{\"height\":144,\"video_bitrate\":100000}");

    static final int RENDITIONS = 3;

    private final CameraSource source;
    private final String renditions;

    LadderSource(CameraSource source, String renditions) {
        this.source = source;
        this.renditions = renditions;
    }

    CameraSource source() {
        return source;
    }

    /** The body that creates the stream. */
    String settings(String latencyMode) {
        return "{\"latency_mode\":\"%s\",\"renditions\":[%s]}".formatted(latencyMode, renditions);
    }
}

package touchline.media.transcode;

import java.util.Locale;

/** Output formats of transcoding. */
public enum FileFormat {
    /** One file, with the header first. */
    MP4("output.mp4"),
    /** Playlists and CMAF segments of 6 s. */
    HLS("index.m3u8"),
    /** A manifest and CMAF segments of 6 s. */
    DASH("manifest.mpd"),
    /** One file, with an index of its key frames. */
    FLV("output.flv");

    private final String entryName;

    FileFormat(String entryName) {
        this.entryName = entryName;
    }

    /** Returns the API's name of the format. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the file that a player opens. */
    public String entryName() {
        return entryName;
    }

    /** Whether one output may contain several sizes of the same video. */
    public boolean takesLadder() {
        return this == HLS || this == DASH;
    }

    /** Whether the renditions of live streams are available. */
    public boolean takesRenditions() {
        return this == HLS;
    }

    /** Whether the output consists of segments that begin with a key frame. */
    boolean segmented() {
        return takesLadder();
    }
}

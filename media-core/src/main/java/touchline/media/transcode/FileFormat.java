package touchline.media.transcode;

import java.util.Locale;

/** What a file can be transcoded to. */
public enum FileFormat {
    /** One file, its head first. */
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

    /** As the API spells it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The file that a player is given. */
    public String entryName() {
        return entryName;
    }

    /** Whether one output may hold the same frames in several sizes. */
    public boolean takesLadder() {
        return this == HLS || this == DASH;
    }

    /** Whether what is written lies in pieces that begin with a key frame. */
    boolean segmented() {
        return takesLadder();
    }
}

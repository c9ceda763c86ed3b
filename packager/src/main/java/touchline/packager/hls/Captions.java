package touchline.packager.hls;

/** What a multivariant playlist says about closed captions inside the video (RFC 8216, 4.3.4.2). */
enum Captions {
    /** None were seen; a player need not load segments to look for them. */
    NONE("", ",CLOSED-CAPTIONS=NONE"),
    /** The frames carry CEA-608 or CEA-708 captions. */
    IN_VIDEO(
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"cc\",NAME=\"CC1\",INSTREAM-ID=\"CC1\"\n",
            ",CLOSED-CAPTIONS=\"cc\""),
    /** Nothing is said: the frames were not searched. */
    UNKNOWN("", "");

    private final String rendition;
    private final String attribute;

    Captions(String rendition, String attribute) {
        this.rendition = rendition;
        this.attribute = attribute;
    }

    /** A line before EXT-X-STREAM-INF; empty for none. */
    String rendition() {
        return rendition;
    }

    /** An attribute of EXT-X-STREAM-INF, with its comma; empty for none. */
    String attribute() {
        return attribute;
    }
}

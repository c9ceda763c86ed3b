package touchline.packager.audience;

/**
 * Reads what a player reports with a request: the keys {@code sid}, {@code bs}, {@code su}, {@code
 * br} and {@code ot} of Common Media Client Data. Other keys, and values of another type, are
 * skipped. Reads {@value #MAX_CHARACTERS} characters at most. One thread; used again after {@link
 * #clear}, so that a request allocates nothing.
 *
 * <p>Source: CTA-5004, 2 (keys) and 3 (query and header forms).
 */
public final class CmcdReader {
    /** Longer texts are read up to here. */
    public static final int MAX_CHARACTERS = 2_048;

    /** CTA-5004, 2.1: a longer session id is none. */
    static final int MAX_SID_CHARACTERS = 64;

    /** Bitrates above it are no bitrates: 100 Gbit/s. */
    private static final int MAX_KBPS = 100_000_000;

    private static final int END = -1;
    private static final long SID = key("sid");
    private static final long STARVED = key("bs");
    private static final long URGENT = key("su");
    private static final long BITRATE = key("br");
    private static final long OBJECT_TYPE = key("ot");

    private final SidText sid = new SidText();
    private boolean starved;
    private boolean urgent;
    private int kbps;
    private ObjectType objectType = ObjectType.UNKNOWN;

    private String text = "";
    private boolean encoded;
    private int at;
    private int end;

    /** Type of the requested object, as far as it is of use. */
    enum ObjectType {
        /** {@code v} or {@code av}. */
        VIDEO,
        /** {@code a}. */
        AUDIO,
        /** Playlists, init segments, captions, keys. */
        NO_MEDIA,
        /** Not reported, or {@code o}. */
        UNKNOWN
    }

    /** The session id with its escapes resolved. */
    private static final class SidText implements CharSequence {
        private final char[] characters = new char[MAX_SID_CHARACTERS];
        private int length;

        @Override
        public int length() {
            return length;
        }

        @Override
        public char charAt(int index) {
            return characters[index];
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return new String(characters, from, to - from);
        }

        @Override
        public String toString() {
            return new String(characters, 0, length);
        }
    }

    /** Begins with another request. */
    public void clear() {
        sid.length = 0;
        starved = false;
        urgent = false;
        kbps = 0;
        objectType = ObjectType.UNKNOWN;
    }

    /** The value of the query parameter {@code CMCD}, with its percent escapes. */
    public void readQuery(String value) {
        read(value, /* escapes= */ true);
    }

    /** The value of one of the headers CMCD-Session, -Object, -Request and -Status. */
    public void readHeader(String value) {
        read(value, /* escapes= */ false);
    }

    /** Whether a session id was read. */
    public boolean hasSid() {
        return sid.length > 0;
    }

    CharSequence sid() {
        return sid;
    }

    /** {@code bs}: the buffer ran empty since the request before. */
    boolean isStarved() {
        return starved;
    }

    /** {@code su}: needed at once, for a start, after a seek, or because the buffer ran empty. */
    boolean isUrgent() {
        return urgent;
    }

    /** {@code br}: bitrate of the requested rendition in kbit/s; 0 if not reported. */
    int kbps() {
        return kbps;
    }

    ObjectType objectType() {
        return objectType;
    }

    private void read(String value, boolean escapes) {
        text = value;
        encoded = escapes;
        at = 0;
        end = Math.min(value.length(), MAX_CHARACTERS);
        int c = next();
        while (c != END) {
            c = pair(c);
        }
        text = "";
    }

    /**
     * One key with its value.
     *
     * @param first its first character
     * @return the first character behind the comma, or the end
     */
    private int pair(int first) {
        long key = 0;
        int c = first;
        while (c != END && c != ',' && c != '=') {
            // A key with more than eight characters is none of these.
            key = (key & 0xff00_0000_0000_0000L) == 0 && c < 0x80 && c != ' ' ? key << 8 | c : -1;
            c = next();
        }
        boolean valued = c == '=';
        if (valued) {
            c = next();
        }
        if (key == SID && c == '"') {
            c = sidText();
        } else if (key == BITRATE && valued) {
            c = bitrate(c);
        } else if (key == OBJECT_TYPE && valued) {
            c = type(c);
        } else if (key == STARVED || key == URGENT) {
            c = flag(key, valued, c);
        } else if (c == '"') {
            c = skipText();
        }
        while (c != END && c != ',') {
            c = next();
        }
        return c == END ? END : next();
    }

    /** RFC 8941, 3.2: a key without a value is true, {@code ?0} is false. */
    private int flag(long key, boolean valued, int first) {
        int c = first;
        boolean value = true;
        if (valued) {
            value = c == 't' || (c == '?' && next() == '1');
            c = next();
        }
        if (key == STARVED) {
            starved = value;
        } else {
            urgent = value;
        }
        return c;
    }

    /** A number, or the first one of a list in parentheses (CTA-5004-A). */
    private int bitrate(int first) {
        long value = 0;
        int c = first == '(' ? next() : first;
        while (c >= '0' && c <= '9' && value <= MAX_KBPS) {
            value = value * 10 + (c - '0');
            c = next();
        }
        boolean ends = c == END || c == ',' || (first == '(' && (c == ')' || c == ' ' || c == ';'));
        kbps = ends && value <= MAX_KBPS ? (int) value : 0;
        return c;
    }

    private int type(int first) {
        if (first == END || first == ',') {
            return first;
        }
        int c = next();
        boolean single = c == END || c == ',';
        objectType =
                switch (first) {
                    case 'v' -> ObjectType.VIDEO;
                    case 'a' -> single ? ObjectType.AUDIO : ObjectType.VIDEO;
                    case 'm', 'i', 'c', 't', 'k' -> ObjectType.NO_MEDIA;
                    default -> ObjectType.UNKNOWN;
                };
        return c;
    }

    /** Keeps the text up to the closing quote; one that is too long, or has no end, is none. */
    private int sidText() {
        int length = 0;
        int c = next();
        while (c != END && c != '"') {
            if (c == '\\') {
                c = next();
            }
            if (c != END && length < MAX_SID_CHARACTERS) {
                sid.characters[length] = (char) c;
            }
            length++;
            c = next();
        }
        sid.length = c == '"' && length <= MAX_SID_CHARACTERS ? length : 0;
        return c == END ? END : next();
    }

    private int skipText() {
        int c = next();
        while (c != END && c != '"') {
            if (c == '\\') {
                next();
            }
            c = next();
        }
        return c == END ? END : next();
    }

    /** The next character with its percent escape resolved (RFC 3986, 2.1). */
    private int next() {
        if (at >= end) {
            return END;
        }
        char c = text.charAt(at++);
        if (c != '%' || !encoded) {
            return c;
        }
        if (at + 2 > end) {
            at = end;
            return END;
        }
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        at += 2;
        return high < 0 || low < 0 ? '%' : high << 4 | low;
    }

    private static long key(String name) {
        long key = 0;
        for (int i = 0; i < name.length(); i++) {
            key = key << 8 | name.charAt(i);
        }
        return key;
    }
}

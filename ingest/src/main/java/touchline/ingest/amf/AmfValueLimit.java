package touchline.ingest.amf;

import touchline.media.codec.MalformedMediaException;

/** Counts the values of one message, also where it has several AMF bodies. One thread. */
public final class AmfValueLimit {
    /** A key frame index of a long recording has some ten thousand values. */
    static final int MAX_VALUES = 65_536;

    private static final int MAX_VALUES_OF_COMMANDS = 4_096;

    private final int max;
    private int values;

    private AmfValueLimit(int max) {
        this.max = max;
    }

    /** The limit for a message of a publisher. */
    public static AmfValueLimit ofMessage() {
        return new AmfValueLimit(MAX_VALUES);
    }

    /** The limit for a message before a publish is accepted. */
    public static AmfValueLimit beforePublish() {
        return new AmfValueLimit(MAX_VALUES_OF_COMMANDS);
    }

    void count() {
        values++;
        if (values > max) {
            throw new MalformedMediaException("AMF: more values than " + max + " in one message");
        }
    }
}

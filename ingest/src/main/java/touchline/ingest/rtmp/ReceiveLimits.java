package touchline.ingest.rtmp;

import touchline.ingest.amf.AmfValueLimit;
import touchline.media.codec.MalformedMediaException;

/**
 * What a connection may have unfinished. Before its publish is accepted a client has nothing to
 * send but commands, so its limits are low. All bytes count in the {@link ReceiveBudget} of the
 * process. One per connection, on its event loop.
 */
final class ReceiveLimits {
    /** Maximum of announced bytes of all unfinished messages of a publisher. */
    static final int MAX_UNFINISHED_BYTES = 16 << 20;

    /** The same before a publish is accepted: commands have some hundred bytes. */
    static final int MAX_UNFINISHED_BYTES_BEFORE = 256 << 10;

    /** Largest message before a publish is accepted. */
    static final int MAX_MESSAGE_BYTES_BEFORE = 64 << 10;

    /** Maximum of bytes received while a publish is being decided: about two reads. */
    static final int MAX_UNDECIDED_BYTES = 1 << 20;

    private final int maxMessageBytes;
    private final ReceiveBudget.Account account;
    private int unfinishedBytes;
    private boolean admitted;

    ReceiveLimits(int maxMessageBytes, ReceiveBudget.Account account) {
        this.maxMessageBytes = maxMessageBytes;
        this.account = account;
    }

    /** A publish was accepted: the limits of publishers hold from now on. */
    void admitted() {
        admitted = true;
        account.publishing();
    }

    /**
     * Checks a message by its header, before memory is reserved.
     *
     * @throws MalformedMediaException it is not allowed, or larger than allowed
     */
    void begin(int typeId, int lengthBytes) {
        if (!admitted && !RtmpMessageCodec.isCommandOrControl(typeId)) {
            throw new MalformedMediaException(
                    "message type: " + typeId + " before publish (expected: a command)");
        }
        int maxBytes =
                admitted ? maxMessageBytes : Math.min(maxMessageBytes, MAX_MESSAGE_BYTES_BEFORE);
        if (lengthBytes > maxBytes) {
            throw new MalformedMediaException(
                    "message length: " + lengthBytes + " (expected: <= " + maxBytes + ")");
        }
        int maxUnfinished = admitted ? MAX_UNFINISHED_BYTES : MAX_UNFINISHED_BYTES_BEFORE;
        if (lengthBytes > maxUnfinished - unfinishedBytes) {
            throw new MalformedMediaException(
                    "unfinished messages: "
                            + ((long) unfinishedBytes + lengthBytes)
                            + " bytes (expected: <= "
                            + maxUnfinished
                            + ")");
        }
        unfinishedBytes += lengthBytes;
    }

    /** Returns the limit of AMF values for one message. */
    AmfValueLimit amfValues() {
        return admitted ? AmfValueLimit.ofMessage() : AmfValueLimit.beforePublish();
    }

    /** A message is complete, or was aborted. */
    void end(int lengthBytes) {
        unfinishedBytes -= lengthBytes;
    }

    /**
     * Memory of unfinished messages changed.
     *
     * @param bytes negative: released
     * @throws MalformedMediaException the process holds too much
     */
    void held(int bytes) {
        if (bytes != 0) {
            account.add(bytes);
        }
    }

    /**
     * Bytes arrived that wait for the decision about a publish.
     *
     * @throws MalformedMediaException too many
     */
    void undecided(int bytes) {
        if (bytes > MAX_UNDECIDED_BYTES) {
            throw new MalformedMediaException(
                    "bytes before the answer to publish: more than " + MAX_UNDECIDED_BYTES);
        }
        account.add(bytes);
    }

    /** Releases everything. Idempotent. */
    void close() {
        account.close();
    }
}

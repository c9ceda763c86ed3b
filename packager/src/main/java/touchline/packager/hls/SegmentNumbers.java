package touchline.packager.hls;

/**
 * Port: which numbers of segments and init segments a session may publish. In a cluster an owner
 * publishes nothing above what its successor knows to be reserved, and nothing without a lease.
 * Called by the packager's thread.
 */
public interface SegmentNumbers {
    /** Of the only server of a database: every number, at once. */
    SegmentNumbers ALL =
            new SegmentNumbers() {
                @Override
                public boolean awaitPart(long mediaSequence) {
                    return true;
                }

                @Override
                public boolean awaitInit(int number) {
                    return true;
                }
            };

    /**
     * Waits until a part of this segment may be published. Called before each part; numbers rise by
     * one.
     *
     * @return false: it never may, the part is discarded
     */
    boolean awaitPart(long mediaSequence) throws InterruptedException;

    /**
     * Waits until an init segment may be published under this number. Called before each; numbers
     * rise by one.
     *
     * @return false: it never may, what it decodes is discarded
     */
    boolean awaitInit(int number) throws InterruptedException;
}

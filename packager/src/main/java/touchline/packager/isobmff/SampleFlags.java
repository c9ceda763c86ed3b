package touchline.packager.isobmff;

/** The two values of sample flags in use here (ISO/IEC 14496-12, 8.8.3.1). */
final class SampleFlags {
    /** sample_depends_on 2: decoding can start here. */
    static final int SYNC = 0x0200_0000;

    /** sample_depends_on 1, sample_is_non_sync_sample. */
    static final int DEPENDENT = 0x0101_0000;

    private SampleFlags() {}
}

package touchline.packager.clip;

import java.nio.file.Path;

/**
 * One sample of a recording, and where its bytes lie. Immutable, any thread.
 *
 * @param segment index of its segment in the recording
 * @param file that holds it
 * @param position of its first byte there
 * @param dtsTicks decode time in the track's timescale
 * @param compositionOffsetTicks from there to its presentation
 * @param durationTicks up to the next one's decode time
 * @param sync decoding can start here
 */
record StoredSample(
        int segment,
        Path file,
        long position,
        int sizeBytes,
        long dtsTicks,
        int compositionOffsetTicks,
        long durationTicks,
        boolean sync) {
    long ptsTicks() {
        return dtsTicks + compositionOffsetTicks;
    }

    /** The same bytes at another time. */
    StoredSample shifted(long ticks) {
        return new StoredSample(
                segment,
                file,
                position,
                sizeBytes,
                dtsTicks + ticks,
                compositionOffsetTicks,
                durationTicks,
                sync);
    }

    /** Ends at a time at the latest. */
    StoredSample until(long ticks) {
        return new StoredSample(
                segment,
                file,
                position,
                sizeBytes,
                dtsTicks,
                compositionOffsetTicks,
                Math.clamp(ticks - dtsTicks, 1, durationTicks),
                sync);
    }

    long endDtsTicks() {
        return dtsTicks + durationTicks;
    }
}

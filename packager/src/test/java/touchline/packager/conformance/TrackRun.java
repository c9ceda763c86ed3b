package touchline.packager.conformance;

/**
 * The samples of one track in one fragment.
 *
 * @param trackId as of tfhd
 * @param decodeTimeTicks tfdt
 * @param durationTicks sum of its trun boxes
 * @param startsWithSync its first sample is a sync sample
 */
record TrackRun(long trackId, long decodeTimeTicks, long durationTicks, boolean startsWithSync) {
    long endTicks() {
        return decodeTimeTicks + durationTicks;
    }
}

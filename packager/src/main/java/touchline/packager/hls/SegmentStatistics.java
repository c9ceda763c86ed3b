package touchline.packager.hls;

/**
 * What is known when a segment is sealed.
 *
 * @param targetDurationS EXT-X-TARGETDURATION; constant within a session
 * @param partTargetUs PART-TARGET; constant within a session
 * @param frameRate frames per second in this segment; 0 without video
 */
record SegmentStatistics(int targetDurationS, long partTargetUs, double frameRate) {}

package touchline.packager.hls;

/**
 * What is known when a segment is sealed.
 *
 * @param targetDurationS EXT-X-TARGETDURATION; constant within a session
 * @param partTargetUs PART-TARGET; constant within a session
 * @param frameRate pictures per second in this segment; 0 without pictures
 */
record Measures(int targetDurationS, long partTargetUs, double frameRate) {}

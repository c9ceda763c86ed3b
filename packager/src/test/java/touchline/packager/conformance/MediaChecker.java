package touchline.packager.conformance;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.conformance.MediaBoxes.InitTrack;

/**
 * Judges the bytes behind a session's playlists: init segments first, parts as they come, segments
 * in order. One thread.
 */
public final class MediaChecker {
    private long toleranceUs = 999;
    private final Report report = new Report();
    private final Map<String, Map<Long, InitTrack>> inits = new HashMap<>();
    private final Map<Long, Long> endTicks = new HashMap<>();
    private @Nullable Segment last;
    private int parts;
    private int segments;
    private int dependentSegments;

    /** Reads an init segment; known ones are not read again. */
    public void init(String uri, byte[] bytes) {
        report.reading(uri);
        try {
            inits.put(uri, MediaBoxes.init(bytes));
        } catch (MalformedMediaException e) {
            report.add(Rule.BOXES, uri, uri + ": " + e.getMessage());
        }
    }

    public boolean knows(String initUri) {
        return inits.containsKey(initUri);
    }

    /** Reads a part that stands in the playlist with this map. */
    public void part(Part part, String map, byte[] bytes) {
        report.reading(part.toString());
        List<TrackRun> runs = runs(map, part.uri(), bytes);
        if (runs.isEmpty()) {
            return;
        }
        parts++;
        TrackRun lead = lead(runs, map);
        if (lead.startsWithSync() != part.independent()) {
            report.add(
                    Rule.INDEPENDENT_FLAG,
                    part.uri(),
                    "INDEPENDENT: %b, starts with a sync sample: %b"
                            .formatted(part.independent(), lead.startsWithSync()));
        }
        duration(part.uri(), map, runs, part.durationUs());
    }

    /**
     * Reads a complete segment.
     *
     * @param independent the playlist has EXT-X-INDEPENDENT-SEGMENTS
     * @param partBytes bytes of its parts, or none where they are not known
     */
    public void segment(
            Segment segment, boolean independent, List<byte[]> partBytes, byte[] bytes) {
        report.reading(segment.toString());
        List<TrackRun> runs = runs(segment.map(), segment.uri(), bytes);
        if (runs.isEmpty()) {
            return;
        }
        segments++;
        TrackRun lead = lead(runs, segment.map());
        if (!lead.startsWithSync()) {
            dependentSegments++;
            if (independent) {
                report.add(Rule.INDEPENDENT_SEGMENTS, segment.uri(), "starts without sync sample");
            }
        }
        sameBytes(segment, partBytes, bytes);
        duration(segment.uri(), segment.map(), runs, segment.durationUs());
        decodeTimes(segment, runs);
    }

    public List<Finding> findings() {
        return report.findings();
    }

    public int parts() {
        return parts;
    }

    public int segments() {
        return segments;
    }

    /** Segments that start without a sync sample: cut for want of a key frame. */
    public int dependentSegments() {
        return dependentSegments;
    }

    /** {@link Rule#SEGMENT_BYTES}. */
    private void sameBytes(Segment segment, List<byte[]> partBytes, byte[] bytes) {
        if (partBytes.isEmpty()) {
            return;
        }
        ByteArrayOutputStream joined = new ByteArrayOutputStream(bytes.length);
        partBytes.forEach(joined::writeBytes);
        if (!Arrays.equals(joined.toByteArray(), bytes)) {
            report.add(
                    Rule.SEGMENT_BYTES,
                    segment.uri(),
                    "%d bytes (its parts: %d bytes) differ".formatted(bytes.length, joined.size()));
        }
    }

    /** Parts end where the video's parts end: between two of these frames. */
    public void ofAudioRendition(long frameUs) {
        toleranceUs = frameUs;
    }

    /** {@link Rule#MEDIA_DURATION}: of the leading track, to the millisecond of the playlist. */
    private void duration(String uri, String map, List<TrackRun> runs, long saidUs) {
        TrackRun first = lead(runs, map);
        long ticks = 0;
        for (TrackRun run : runs) {
            ticks += run.trackId() == first.trackId() ? run.durationTicks() : 0;
        }
        long timescale = track(map, first).timescale();
        long isUs = ticks * 1_000_000 / timescale;
        if (Math.abs(isUs - saidUs) > toleranceUs) {
            report.add(
                    Rule.MEDIA_DURATION,
                    uri,
                    "samples of %d us (the playlist says: %d us)".formatted(isUs, saidUs));
        }
    }

    /** {@link Rule#DECODE_TIME}: from fragment to fragment, and from segment to segment. */
    private void decodeTimes(Segment segment, List<TrackRun> runs) {
        Segment before = last;
        boolean follows =
                before != null
                        && before.mediaSequence() + 1 == segment.mediaSequence()
                        && before.map().equals(segment.map());
        if (!follows) {
            endTicks.clear();
        }
        for (TrackRun run : runs) {
            Long expected = endTicks.put(run.trackId(), run.endTicks());
            if (expected != null && expected != run.decodeTimeTicks()) {
                report.add(
                        Rule.DECODE_TIME,
                        segment.uri(),
                        "track %d at %d (expected: %d)"
                                .formatted(run.trackId(), run.decodeTimeTicks(), expected));
            }
        }
        last = segment;
    }

    private List<TrackRun> runs(String map, String uri, byte[] bytes) {
        Map<Long, InitTrack> tracks = inits.get(map);
        if (tracks == null) {
            report.add(Rule.BOXES, uri, "init segment was not read: " + map);
            return List.of();
        }
        try {
            return MediaBoxes.runs(bytes, tracks);
        } catch (MalformedMediaException e) {
            report.add(Rule.BOXES, uri, uri + ": " + e.getMessage());
            return List.of();
        }
    }

    /** The first run of the frames, or where there are none of the audio. */
    private TrackRun lead(List<TrackRun> runs, String map) {
        for (TrackRun run : runs) {
            if (track(map, run).isVideo()) {
                return run;
            }
        }
        return runs.getFirst();
    }

    private InitTrack track(String map, TrackRun run) {
        Map<Long, InitTrack> tracks = inits.get(map);
        InitTrack track = tracks == null ? null : tracks.get(run.trackId());
        if (track == null) {
            throw new IllegalStateException("run of an unknown track: " + run);
        }
        return track;
    }
}

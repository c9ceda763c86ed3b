package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.VodPlaylist;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.InitReader.TrackHead;

/**
 * The frames of a recording. Immutable, any thread.
 *
 * @param playback where init segments and segments lie
 * @param segments in order, at least one
 */
record StoredFrames(LivePlayback playback, List<VodPlaylist.Entry> segments)
        implements FrameSource {
    @Override
    public long zeroUs() throws IOException {
        VodPlaylist.Entry first = segments.getFirst();
        Optional<MediaBody> head = playback.initSegment(first.initNumber());
        Optional<MediaBody> media = playback.segment(first.mediaSequence());
        if (!(head.orElse(null) instanceof MediaBody.FileRange init)
                || !(media.orElse(null) instanceof MediaBody.FileRange segment)) {
            throw new MalformedMediaException("recording without its first segment");
        }
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
            long there = Math.max(0, file.size() - segment.offsetBytes());
            MemorySegment bytes =
                    file.map(
                            FileChannel.MapMode.READ_ONLY,
                            segment.offsetBytes(),
                            Math.min(segment.sizeBytes(), there),
                            arena);
            Box moof =
                    BoxReader.first(BoxReader.walkWhole(bytes), "moof")
                            .orElseThrow(() -> new MalformedMediaException("segment without moof"));
            return firstPtsUs(FragmentRun.of(moof), InitReader.read(init.file()));
        }
    }

    /** Frames count before audio. */
    private static long firstPtsUs(List<FragmentRun> runs, InitReader init) {
        Optional<FragmentRun> leading = Optional.empty();
        for (FragmentRun run : runs) {
            boolean video = init.track(run.trackId()).map(TrackHead::video).orElse(false);
            if (video || leading.isEmpty()) {
                leading = Optional.of(run);
            }
        }
        FragmentRun run =
                leading.orElseThrow(() -> new MalformedMediaException("moof without samples"));
        TrackHead track =
                init.track(run.trackId())
                        .orElseThrow(() -> new MalformedMediaException("track without its head"));
        long first = Long.MAX_VALUE;
        long decode = run.decodeTicks();
        for (int i = 0; i < run.samples(); i++) {
            first = Math.min(first, decode + run.compositionOffsetTicks(i));
            decode += run.durationTicks(i);
        }
        return track.timescale().toUs(first);
    }

    @Override
    public SessionId session() {
        return playback.session();
    }

    @Override
    public Optional<Span> spanAt(long mediaUs) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (segments.get(middle).startUs() <= mediaUs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? Optional.empty() : Optional.of(span(segments.get(low - 1)));
    }

    @Override
    public Optional<Span> newest() {
        return Optional.of(span(segments.getLast()));
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return playback.initSegment(number);
    }

    @Override
    public Optional<MediaBody> media(long mediaSequence) {
        return playback.segment(mediaSequence);
    }

    private static Span span(VodPlaylist.Entry entry) {
        return new Span(
                entry.mediaSequence(),
                entry.initNumber(),
                entry.startUs(),
                entry.startUs() + entry.durationUs(),
                /* parts= */ 1);
    }
}

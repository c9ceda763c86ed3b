package touchline.packager.record;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.VodPlaylist;

/**
 * The frames of a recording. Immutable, any thread.
 *
 * @param playback where init segments and segments lie
 * @param segments in order, at least one
 * @param files brings segments back
 */
record StoredFrames(LivePlayback playback, List<VodPlaylist.Entry> segments, StoredFiles files)
        implements FrameSource {
    @Override
    public long mediaUs(long timeUs) throws IOException {
        List<AssetClock.Span> spans =
                segments.stream()
                        .map(each -> new AssetClock.Span(each.initNumber(), each.durationUs()))
                        .toList();
        return AssetClock.of(spans, index -> firstUs(segments.get(index))).mediaUs(timeUs);
    }

    private long firstUs(VodPlaylist.Entry first) throws IOException {
        Optional<MediaBody> head = playback.initSegment(first.initNumber());
        Optional<MediaBody> media = media(first.mediaSequence());
        if (!(head.orElse(null) instanceof MediaBody.FileRange init)
                || !(media.orElse(null) instanceof MediaBody.FileRange segment)) {
            throw new MalformedMediaException("recording without its first segment");
        }
        return AssetClock.firstUs(init.file(), segment);
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
    public Optional<MediaBody> media(long mediaSequence) throws IOException {
        Optional<MediaBody> found = playback.segment(mediaSequence);
        if (found.orElse(null) instanceof MediaBody.FileRange range) {
            files.ensure(List.of(range.file()));
        }
        return found;
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

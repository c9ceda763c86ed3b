package touchline.media.decoding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/** Decodes in this process, with one thread. */
final class LocalGopDecoder implements GopDecoder {
    private final VideoDecoder decoder;
    private @Nullable VideoFrame latest;

    private LocalGopDecoder(VideoDecoder decoder) {
        this.decoder = decoder;
    }

    static LocalGopDecoder open(Track track) {
        return new LocalGopDecoder(VideoDecoder.open(track, /* threads= */ 1));
    }

    @Override
    public Optional<VideoFrame> keyFrame(AccessUnit unit) {
        flush();
        decoder.skip(VideoDecoder.Skip.NOTHING);
        List<VideoFrame> frames = new ArrayList<>(decoder.decode(unit));
        try {
            frames.addAll(decoder.drain());
        } catch (RuntimeException e) {
            frames.forEach(VideoFrame::close);
            throw e;
        }
        return firstOf(frames);
    }

    @Override
    public void flush() {
        decoder.flush();
    }

    @Override
    public Found first(List<AccessUnit> units, Wanted wanted) {
        int used = 0;
        for (AccessUnit unit : units) {
            used++;
            decoder.skip(
                    unit.ptsUs() >= wanted.fromUs()
                            ? VideoDecoder.Skip.NOTHING
                            : VideoDecoder.Skip.NON_REFERENCE);
            Optional<VideoFrame> matching = firstMatching(decoder.decode(unit), wanted);
            if (matching.isPresent()) {
                return new Found(used, matching);
            }
        }
        return new Found(used, Optional.empty());
    }

    @Override
    public Optional<VideoFrame> rest(Wanted wanted) {
        return firstMatching(decoder.drain(), wanted);
    }

    private static Optional<VideoFrame> firstMatching(List<VideoFrame> frames, Wanted wanted) {
        List<VideoFrame> matching = new ArrayList<>(1);
        for (VideoFrame frame : frames) {
            if (matching.isEmpty() && wanted.matches(frame.ptsUs())) {
                matching.add(frame);
            } else {
                frame.close();
            }
        }
        return matching.stream().findFirst();
    }

    @Override
    public Optional<VideoFrame> last(List<AccessUnit> units) {
        keepLatest(units);
        return takeLatest();
    }

    /** Decodes units and keeps the latest frame. */
    void keepLatest(List<AccessUnit> units) {
        decoder.skip(VideoDecoder.Skip.NOTHING);
        units.forEach(unit -> decoder.decode(unit).forEach(this::keepLater));
    }

    /** Ends the GOP and returns the latest frame since {@link #keepLatest}. */
    Optional<VideoFrame> takeLatest() {
        decoder.drain().forEach(this::keepLater);
        Optional<VideoFrame> taken = Optional.ofNullable(latest);
        latest = null;
        return taken;
    }

    private void keepLater(VideoFrame frame) {
        VideoFrame before = latest;
        if (before == null || frame.ptsUs() > before.ptsUs()) {
            latest = frame;
            if (before != null) {
                before.close();
            }
        } else {
            frame.close();
        }
    }

    private static Optional<VideoFrame> firstOf(List<VideoFrame> frames) {
        if (frames.isEmpty()) {
            return Optional.empty();
        }
        frames.subList(1, frames.size()).forEach(VideoFrame::close);
        return Optional.of(frames.getFirst());
    }

    @Override
    public long remoteCpuNs() {
        return 0;
    }

    @Override
    public void close() {
        if (latest != null) {
            latest.close();
            latest = null;
        }
        decoder.close();
    }
}

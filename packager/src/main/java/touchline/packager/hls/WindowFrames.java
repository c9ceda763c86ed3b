package touchline.packager.hls;

import java.util.Optional;
import touchline.media.SessionId;

/**
 * The frames of a live window. Any thread.
 *
 * @param window borrowed
 * @param zeroUs presentation time of the session's first frame, in media microseconds
 */
record WindowFrames(LiveWindow window, long zeroUs) implements FrameSource {
    @Override
    public long mediaUs(long timeUs) {
        return zeroUs + timeUs;
    }

    @Override
    public SessionId session() {
        return window.session();
    }

    @Override
    public Optional<Span> spanAt(long mediaUs) {
        return window.startingBy(mediaUs).map(WindowFrames::span);
    }

    @Override
    public Optional<Span> newest() {
        return spanAt(Long.MAX_VALUE);
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return window.initSegment(number);
    }

    @Override
    public Optional<MediaBody> media(long mediaSequence) {
        return window.soFar(mediaSequence);
    }

    private static Span span(MediaSegment segment) {
        return new Span(
                segment.mediaSequence(),
                segment.initNumber(),
                segment.startUs(),
                segment.endUs(),
                segment.parts().size());
    }
}

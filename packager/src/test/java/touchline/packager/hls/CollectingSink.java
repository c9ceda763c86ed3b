package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import touchline.media.Timeline;

/** Records its calls; copies bytes. */
final class CollectingSink implements PartSink {
    final List<String> calls = new ArrayList<>();
    final List<FinishedPart> parts = new ArrayList<>();
    final List<byte[]> partBytes = new ArrayList<>();
    final List<SealedSegment> segments = new ArrayList<>();

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        calls.add("init " + number);
    }

    @Override
    public void part(FinishedPart part) {
        calls.add("part " + part.mediaSequence() + "." + part.index());
        parts.add(part);
        byte[] copy = new byte[part.bytes().sizeBytes()];
        part.bytes().bytes().get(copy);
        partBytes.add(copy);
    }

    @Override
    public void sealed(SealedSegment segment) {
        calls.add("sealed " + segment.mediaSequence());
        segments.add(segment);
    }

    @Override
    public void end() {
        calls.add("end");
    }
}

package touchline.media.hub;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;

/**
 * What viewers get of a programme, by the numbers of its frames and audio units.
 *
 * @param items what was written
 * @param numbers by the payload
 */
record ShownProgramme(List<FeedItem> items, Map<ByteBuffer, Long> numbers) {
    private static final long FRAME_US = 1_000_000 / TwoEncoders.FRAME_RATE;

    ShownProgramme {
        items = List.copyOf(items);
        numbers = Map.copyOf(numbers);
    }

    /** What a unit is known by. */
    static ByteBuffer key(AccessUnit unit) {
        return unit.payload().asByteBuffer();
    }

    /** Numbers of the frames in the order in which they are shown; not of those that run up. */
    List<Long> shownFrames() {
        List<Long> shown = new ArrayList<>();
        for (List<AccessUnit> timeline : timelines()) {
            List<AccessUnit> frames = frames(timeline);
            for (int i = 0; i < frames.size(); i++) {
                long durationUs =
                        i + 1 < frames.size()
                                ? frames.get(i + 1).ptsUs() - frames.get(i).ptsUs()
                                : FRAME_US;
                if (durationUs > 1_000) {
                    shown.add(number(frames.get(i)));
                }
            }
        }
        return shown;
    }

    /** Numbers of all frames in the order in which they are shown. */
    List<Long> decodedFrames() {
        List<Long> decoded = new ArrayList<>();
        timelines().forEach(each -> frames(each).forEach(frame -> decoded.add(number(frame))));
        return decoded;
    }

    /** Numbers of the audio units that the packager passes on: beside the frames of a timeline. */
    List<Long> heardAudio() {
        List<Long> heard = new ArrayList<>();
        for (List<AccessUnit> timeline : timelines()) {
            List<AccessUnit> frames = frames(timeline);
            for (AccessUnit unit : timeline) {
                if (!unit.track().isVideo()
                        && unit.dtsUs() >= frames.getFirst().ptsUs()
                        && unit.dtsUs() < frames.getLast().ptsUs() + FRAME_US) {
                    heard.add(number(unit));
                }
            }
        }
        return heard;
    }

    /**
     * From the end of one audio unit to the start of the next one, at most, in microseconds, as
     * played: timelines follow each other without a gap.
     */
    long mostAudioGapUs() {
        long most = 0;
        long shiftUs = 0;
        long frameEndUs = Long.MIN_VALUE;
        long audioEndUs = Long.MIN_VALUE;
        for (List<AccessUnit> timeline : timelines()) {
            List<AccessUnit> frames = frames(timeline);
            long firstUs = frames.getFirst().ptsUs();
            shiftUs = frameEndUs == Long.MIN_VALUE ? 0 : frameEndUs - firstUs;
            for (AccessUnit unit : timeline) {
                if (unit.track().isVideo()
                        || unit.dtsUs() < firstUs
                        || unit.dtsUs() >= frames.getLast().ptsUs() + FRAME_US) {
                    continue;
                }
                if (audioEndUs != Long.MIN_VALUE) {
                    most = Math.max(most, Math.abs(unit.dtsUs() + shiftUs - audioEndUs));
                }
                audioEndUs = unit.dtsUs() + shiftUs + 21_333;
            }
            frameEndUs = frames.getLast().ptsUs() + FRAME_US + shiftUs;
        }
        return most;
    }

    private List<List<AccessUnit>> timelines() {
        List<List<AccessUnit>> timelines = new ArrayList<>();
        for (FeedItem item : items) {
            switch (item) {
                case Timeline _ -> timelines.add(new ArrayList<>());
                case AccessUnit unit -> timelines.getLast().add(unit);
                case Interruption _ -> {}
            }
        }
        return timelines;
    }

    private static List<AccessUnit> frames(List<AccessUnit> timeline) {
        return timeline.stream()
                .filter(unit -> unit.track().isVideo())
                .sorted(Comparator.comparingLong(AccessUnit::ptsTicks))
                .toList();
    }

    private long number(AccessUnit unit) {
        return Objects.requireNonNull(numbers.get(key(unit)));
    }
}

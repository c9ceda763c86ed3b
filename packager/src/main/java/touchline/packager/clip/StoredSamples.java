package touchline.packager.clip;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.Recording;

/**
 * Samples of some segments of a recording, read from the headers of their fragments; media bytes
 * are not read. One thread.
 *
 * @param video in decode order; empty for a recording of audio
 * @param audio in decode order
 */
record StoredSamples(List<StoredSample> video, List<StoredSample> audio) {
    StoredSamples {
        video = List.copyOf(video);
        audio = List.copyOf(audio);
    }

    /**
     * @param init what the segments are decoded with
     * @param from index of the first segment
     * @param to behind the last one; segments of another init are left out
     */
    static StoredSamples read(Recording recording, Path folder, InitReader init, int from, int to)
            throws IOException {
        List<StoredSample> video = new ArrayList<>();
        List<StoredSample> audio = new ArrayList<>();
        int number = recording.segments().get(from).init();
        for (int i = from; i < to; i++) {
            Recording.Segment segment = recording.segments().get(i);
            if (segment.init() == number) {
                read(i, segment, folder.resolve(segment.fileName()), init, video, audio);
            }
        }
        return new StoredSamples(video, audio);
    }

    private static void read(
            int index,
            Recording.Segment segment,
            Path file,
            InitReader init,
            List<StoredSample> video,
            List<StoredSample> audio)
            throws IOException {
        Recording.Place place = segment.place();
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() < place.offsetBytes() + place.sizeBytes()) {
                throw new MalformedMediaException(
                        "%s: %d bytes (expected: >= %d)"
                                .formatted(
                                        segment.fileName(),
                                        channel.size(),
                                        place.offsetBytes() + place.sizeBytes()));
            }
            MemorySegment bytes =
                    channel.map(
                            FileChannel.MapMode.READ_ONLY,
                            place.offsetBytes(),
                            place.sizeBytes(),
                            arena);
            for (Box moof : BoxReader.walk(bytes)) {
                if (moof.type().equals("moof")) {
                    long moofAt = place.offsetBytes() + moof.offset();
                    for (FragmentRun run : FragmentRun.of(moof)) {
                        Optional<InitReader.TrackHead> track = init.track(run.trackId());
                        if (track.isPresent()) {
                            add(
                                    run,
                                    new Source(index, file, moofAt + run.dataOffset()),
                                    track.get().video() ? video : audio);
                        }
                    }
                }
            }
        }
    }

    private record Source(int segment, Path file, long position) {}

    private static void add(FragmentRun run, Source source, List<StoredSample> samples) {
        long position = source.position();
        long decode = run.decodeTicks();
        for (int i = 0; i < run.samples(); i++) {
            samples.add(
                    new StoredSample(
                            source.segment(),
                            source.file(),
                            position,
                            run.sizeBytes(i),
                            decode,
                            run.compositionOffsetTicks(i),
                            run.durationTicks(i),
                            run.isSync(i)));
            position += run.sizeBytes(i);
            decode += run.durationTicks(i);
        }
    }
}

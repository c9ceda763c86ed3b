package touchline.media.transcode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.codec.MalformedMediaException;
import touchline.media.file.MediaFile;
import touchline.media.file.SeekableBytes;
import touchline.media.file.SourceAudio;
import touchline.media.file.SourceVideo;

/**
 * Turns one media file into another: MP4, HLS, DASH or FLV, H.264 and AAC. Streams that need no
 * change are copied; where a copy turns out to be impossible, it begins again and encodes. Files
 * come from outside: this belongs into the worker process. A platform thread, for as long as it
 * takes; an interrupt ends it.
 */
public final class FileTranscoder {
    private static final Logger log = LoggerFactory.getLogger(FileTranscoder.class);

    /** A file that ends so much earlier than it says was cut off. */
    private static final long MISSING_US = 700_000;

    private static final double MISSING_SHARE = 0.04;
    private static final int PACKETS_PER_PROGRESS = 16;

    private final SeekableBytes input;
    private final Path folder;
    private final TranscodeRequest request;
    private final FileEncoding encoding;
    private final DoubleConsumer progress;

    private FileTranscoder(
            SeekableBytes input,
            Path folder,
            TranscodeRequest request,
            FileEncoding encoding,
            DoubleConsumer progress) {
        this.input = input;
        this.folder = folder;
        this.request = request;
        this.encoding = encoding;
        this.progress = progress;
    }

    /**
     * Does all of it.
     *
     * @param input stays the caller's
     * @param folder empty; the output's files are written there, {@link FileFormat#entryName} among
     *     them; on failure some may be left
     * @param progress is told a share from 0 to 1 now and then, on this thread
     * @throws MalformedMediaException the input is no media, or damaged
     * @throws UnsupportedMediaException it holds what cannot be decoded here
     * @throws FfmpegException the host fails: no encoder, no space, no memory
     * @throws UncheckedIOException a file cannot be written
     */
    public static TranscodeResult transcode(
            SeekableBytes input,
            Path folder,
            TranscodeRequest request,
            FileEncoding encoding,
            DoubleConsumer progress)
            throws InterruptedException {
        FileTranscoder transcoder = new FileTranscoder(input, folder, request, encoding, progress);
        try {
            return transcoder.run(/* mayCopy= */ true);
        } catch (CopyUnsuitableException e) {
            log.debug("copy gives way to encoding: {}", e.getMessage());
            transcoder.empty();
            return transcoder.run(/* mayCopy= */ false);
        }
    }

    private TranscodeResult run(boolean mayCopy) throws InterruptedException {
        try (MediaFile file = MediaFile.open(input)) {
            Optional<SourceVideo> video = file.video();
            Optional<SourceAudio> audio = file.audio();
            if (video.isEmpty() && audio.isEmpty()) {
                throw new MalformedMediaException("neither video nor audio");
            }
            if (file.isCutOff()) {
                throw new MalformedMediaException("the file was cut off");
            }
            TranscodePlan plan = TranscodePlan.of(video, audio, request, mayCopy);
            try (OutputSet output = new OutputSet(request.format(), folder);
                    StreamProcessors lanes = new StreamProcessors(file, plan, encoding, output)) {
                output.start();
                pump(file, lanes);
                output.finish();
                progress.accept(1);
                return new TranscodeResult(lanes.endUs(), plan.copiesAll(), plan.notes());
            }
        }
    }

    private void pump(MediaFile file, StreamProcessors lanes) throws InterruptedException {
        long expectedUs = file.guessedDurationUs();
        long packets = 0;
        while (file.read()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("transcoding");
            }
            lanes.accept(file);
            if (++packets % PACKETS_PER_PROGRESS == 0 && expectedUs > 0) {
                progress.accept(Math.min(0.99, (double) lanes.endUs() / expectedUs));
            }
        }
        lanes.drain();
        lanes.refuseDamaged();
        long missingUs = file.durationUs() - lanes.endUs();
        if (missingUs > Math.max(MISSING_US, MISSING_SHARE * file.durationUs())) {
            throw new MalformedMediaException(
                    "the file ends at %.1f s of %.1f s"
                            .formatted(lanes.endUs() / 1e6, file.durationUs() / 1e6));
        }
    }

    /** Removes what the first try has left. */
    private void empty() {
        try (Stream<Path> tree = Files.walk(folder)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                if (!each.equals(folder)) {
                    Files.delete(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("output folder", e);
        }
    }

    /** The streams that are used, each with what becomes of it. One thread. */
    private static final class StreamProcessors implements AutoCloseable {
        private final Map<Integer, StreamProcessor> byStream = new HashMap<>();
        private final List<StreamProcessor> open = new ArrayList<>();

        StreamProcessors(
                MediaFile file, TranscodePlan plan, FileEncoding encoding, OutputSet output) {
            long startUs = file.startUs();
            try {
                plan.video()
                        .ifPresent(
                                video ->
                                        add(
                                                video.source().stream(),
                                                lane(file, startUs, video, encoding, output)));
                plan.audio()
                        .ifPresent(
                                audio ->
                                        add(
                                                audio.source().stream(),
                                                lane(file, startUs, audio, output)));
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private static StreamProcessor lane(
                MediaFile file,
                long startUs,
                TranscodePlan.Video video,
                FileEncoding encoding,
                OutputSet output) {
            var stream = file.stream(video.source().stream());
            return switch (video) {
                case TranscodePlan.Video.Copy _ ->
                        new StreamCopier(stream, startUs, output.copiedVideo(stream));
                case TranscodePlan.Video.Encode encode ->
                        new VideoTranscoder(stream, startUs, encode, encoding, output);
            };
        }

        private static StreamProcessor lane(
                MediaFile file, long startUs, TranscodePlan.Audio audio, OutputSet output) {
            var stream = file.stream(audio.source().stream());
            return switch (audio) {
                case TranscodePlan.Audio.Copy _ ->
                        new StreamCopier(stream, startUs, output.copiedAudio(stream));
                case TranscodePlan.Audio.Encode encode ->
                        new AudioTranscoder(stream, startUs, encode, output);
            };
        }

        private void add(int stream, StreamProcessor lane) {
            byStream.put(stream, lane);
            open.add(lane);
        }

        void accept(MediaFile file) {
            StreamProcessor lane = byStream.get(file.packet().stream_index());
            if (lane != null) {
                lane.accept(file.packet());
            }
        }

        void drain() {
            open.forEach(StreamProcessor::finish);
        }

        void refuseDamaged() {
            if (open.stream().anyMatch(StreamProcessor::damaged)) {
                throw new MalformedMediaException("too much of the file cannot be decoded");
            }
        }

        long endUs() {
            return open.stream().mapToLong(StreamProcessor::endUs).max().orElse(0);
        }

        @Override
        public void close() {
            open.forEach(StreamProcessor::close);
        }
    }
}

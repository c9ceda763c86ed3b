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
 * Transcodes a media file to MP4, HLS, DASH or FLV with H.264 and AAC. Streams that need no change
 * are copied. If a copy proves impossible, transcoding restarts and encodes. Files are untrusted:
 * run this in the worker process. Blocks a platform thread until the end; an interrupt stops it.
 */
public final class FileTranscoder {
    private static final Logger log = LoggerFactory.getLogger(FileTranscoder.class);

    /** A file that ends this much before its declared duration is truncated. */
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
     * Transcodes the whole file.
     *
     * @param input owned by the caller
     * @param folder empty; the output's files are written there, {@link FileFormat#entryName} among
     *     them; on failure some may be left
     * @param progress receives a fraction from 0 to 1 from time to time, on this thread
     * @throws MalformedMediaException the input is not media, or damaged
     * @throws UnsupportedMediaException this build cannot decode the input
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
            log.debug("stream copy is not possible, encoding instead: {}", e.getMessage());
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
                    StreamProcessors processors =
                            new StreamProcessors(file, plan, encoding, output)) {
                output.start();
                pump(file, processors);
                output.finish();
                if (plan.followsCopy()) {
                    output.requireAligned();
                }
                progress.accept(1);
                return new TranscodeResult(processors.endUs(), plan.copiesAll(), plan.notes());
            }
        }
    }

    private void pump(MediaFile file, StreamProcessors processors) throws InterruptedException {
        long expectedUs = file.guessedDurationUs();
        long packets = 0;
        while (file.read()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("transcoding");
            }
            processors.accept(file);
            if (++packets % PACKETS_PER_PROGRESS == 0 && expectedUs > 0) {
                progress.accept(Math.min(0.99, (double) processors.endUs() / expectedUs));
            }
        }
        processors.drain();
        processors.refuseDamaged();
        long missingUs = file.durationUs() - processors.endUs();
        if (missingUs > Math.max(MISSING_US, MISSING_SHARE * file.durationUs())) {
            throw new MalformedMediaException(
                    "the file ends at %.1f s of %.1f s"
                            .formatted(processors.endUs() / 1e6, file.durationUs() / 1e6));
        }
    }

    /** Removes the files of the first attempt. */
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

    /** The used streams, each with its processor. One thread. */
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
                                                processor(file, startUs, video, encoding, output)));
                plan.audio()
                        .ifPresent(
                                audio ->
                                        add(
                                                audio.source().stream(),
                                                processor(file, startUs, audio, output)));
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private static StreamProcessor processor(
                MediaFile file,
                long startUs,
                TranscodePlan.Video video,
                FileEncoding encoding,
                OutputSet output) {
            var stream = file.stream(video.source().stream());
            return switch (video) {
                case TranscodePlan.Video.Copy _ ->
                        new StreamCopier(stream, startUs, output.copiedVideo(stream));
                case TranscodePlan.Video.CopyAndEncode ladder ->
                        new LadderTranscoder(stream, startUs, ladder, encoding, output);
                case TranscodePlan.Video.Encode encode ->
                        new VideoTranscoder(stream, startUs, encode, encoding, output);
            };
        }

        private static StreamProcessor processor(
                MediaFile file, long startUs, TranscodePlan.Audio audio, OutputSet output) {
            var stream = file.stream(audio.source().stream());
            return switch (audio) {
                case TranscodePlan.Audio.Copy _ ->
                        new StreamCopier(stream, startUs, output.copiedAudio(stream));
                case TranscodePlan.Audio.Encode encode ->
                        new AudioTranscoder(stream, startUs, encode, output);
            };
        }

        private void add(int stream, StreamProcessor processor) {
            byStream.put(stream, processor);
            open.add(processor);
        }

        void accept(MediaFile file) {
            StreamProcessor processor = byStream.get(file.packet().stream_index());
            if (processor != null) {
                processor.accept(file.packet());
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

package touchline.benchmarks.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import touchline.api.host.HostFacts;
import touchline.api.host.NvidiaSmi;
import touchline.benchmarks.inference.InferenceLoad;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.overlay.GpuCompositing;
import touchline.benchmarks.renditions.GpuRenditions;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.moderation.DetectorException;

/**
 * Every path of this server that uses a graphics card: NVENC, NVDEC, both, and inference by CUDA,
 * beside the same work on the processor. What cannot run is a row with its reason.
 */
public final class GpuPaths implements Benchmark {
    private static final FrameFormat FORMAT = new FrameFormat(1280, 720, Colour.BT709);
    private static final int FPS = 30;
    private static final int TICKS_A_FRAME = 90_000 / FPS;

    /** More than any consumer card allows at the same time. */
    private static final int MOST_SESSIONS = 16;

    private static final String SKIPPED = "skipped";

    private final Arguments given;
    private final int frames;
    private final Report report;

    /** Seconds of 720p30 for each path, 20 by default. */
    public GpuPaths(Arguments given, Report report) {
        this.given = given;
        this.frames = given.number(0, 20) * FPS;
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        HostFacts.Gpus gpus = NvidiaSmi.cards();
        for (HostFacts.Gpu card : gpus.cards()) {
            report.note("card %d: %s, driver %s", card.index(), card.name(), card.driver());
        }
        if (gpus.cards().isEmpty()) {
            report.note("%s", gpus.reason());
        }
        long startNs = System.nanoTime();
        Gpu.prepare();
        if (Gpu.scales()) {
            report.note(
                    "the card is ready after %.2f s: %s frames in its memory",
                    (System.nanoTime() - startNs) / 1e9,
                    Gpu.encodes() ? "decodes, scales and encodes" : "decodes and scales");
        }
        Report.Table table =
                report.table("gpu", "path | on | result | frames a second | times real time | why");
        encode(table);
        decode(table);
        transcode(table);
        sessions(table);
        int renditions = renditions(table);
        return Math.max(renditions, inference(gpus, table));
    }

    private void encode(Report.Table table) {
        EncoderCapabilities encoders = Ffmpeg.encoders();
        for (H264Encoder encoder : List.of(H264Encoder.NVENC, H264Encoder.X264)) {
            String on = encoder == H264Encoder.NVENC ? "NVENC" : "processor";
            String path = "encode H.264, " + encoder.configName();
            if (encoders.canUse(encoder)) {
                run(table, path, on, () -> encoded(encoder).size());
            } else {
                skip(table, path, on, encoders.refusals().getOrDefault(encoder, "not usable"));
            }
        }
    }

    private void decode(Report.Table table) {
        List<AccessUnit> units = encoded(Ffmpeg.encoders().best().orElseThrow());
        String nvdec = "decode H.264, nvdec";
        Optional<VideoDecoder> hardware =
                VideoDecoder.openOnGpu(units.getFirst().track(), /* keepsFrames= */ false);
        if (hardware.isPresent()) {
            run(table, nvdec, "NVDEC", () -> decoded(hardware.get(), units));
        } else {
            skip(table, nvdec, "NVDEC", withoutNvdec());
        }
        run(
                table,
                "decode H.264, software",
                "processor",
                () -> decoded(VideoDecoder.open(units.getFirst().track(), 1), units));
    }

    /** What a scoreboard's stream does, without the drawing. */
    private void transcode(Report.Table table) {
        String path = "decode and encode, nvdec to nvenc";
        List<AccessUnit> units = encoded(Ffmpeg.encoders().best().orElseThrow());
        if (!Ffmpeg.encoders().canUse(H264Encoder.NVENC)) {
            skip(table, path, "card", "NVENC cannot be used");
            return;
        }
        Optional<VideoDecoder> hardware =
                VideoDecoder.openOnGpu(units.getFirst().track(), /* keepsFrames= */ false);
        if (hardware.isEmpty()) {
            skip(table, path, "card", withoutNvdec());
            return;
        }
        run(table, path, "card", () -> transcoded(hardware.get(), units));
    }

    private int renditions(Report.Table table) throws Exception {
        String path = "renditions and scoreboards on the card";
        if (!Gpu.scales()) {
            skip(table, path, "card", withoutNvdec());
            return 0;
        }
        int code =
                Math.max(
                        new GpuRenditions(report, frames / FPS).run(),
                        new GpuCompositing(report, frames / FPS).run());
        table.row(path, "card", code == 0 ? "ran" : "failed", "", "", "see the tables below");
        return code;
    }

    private static String withoutNvdec() {
        return Gpu.isPresent()
                ? "the card or its driver decodes no H.264"
                : "no CUDA device: libcuda.so.1 is missing, or the driver has no card";
    }

    /** How many encoders the driver opens at the same time: consumer cards have a limit. */
    private void sessions(Report.Table table) {
        String path = "NVENC sessions at the same time";
        if (!Ffmpeg.encoders().canUse(H264Encoder.NVENC)) {
            skip(table, path, "NVENC", "NVENC cannot be used");
            return;
        }
        List<VideoEncoder> open = new ArrayList<>();
        String end = "the bench opens no more";
        try {
            while (open.size() < MOST_SESSIONS) {
                open.add(VideoEncoder.open(settings(H264Encoder.NVENC)));
            }
        } catch (FfmpegException e) {
            end = "the driver opens no more";
        } finally {
            open.forEach(VideoEncoder::close);
        }
        table.row(path, "NVENC", open.size() + " open", "", "", end);
    }

    private int inference(HostFacts.Gpus gpus, Report.Table table) throws Exception {
        String path = "inference by CUDA";
        if (gpus.cards().isEmpty()) {
            skip(table, path, "CUDA", gpus.reason());
            return 0;
        }
        List<String> arguments = List.of("3", "--device", given.option("--device", "cuda:0"));
        int code;
        try {
            code = new InferenceLoad(new Arguments(arguments), report).run();
        } catch (DetectorException e) {
            table.row(path, "CUDA", "failed", "", "", String.valueOf(e.getMessage()));
            return 1;
        }
        table.row(path, "CUDA", code == 0 ? "ran" : "failed", "", "", "see the tables below");
        return code;
    }

    private void run(Report.Table table, String path, String on, Supplier<Integer> work) {
        try {
            long startNs = System.nanoTime();
            int count = work.get();
            double perSecond = count * 1e9 / (System.nanoTime() - startNs);
            report.note("%s: %.0f frames a second", path, perSecond);
            table.row(path, on, "ran", perSecond, perSecond / FPS, "");
        } catch (FfmpegException e) {
            report.note("%s: failed: %s", path, String.valueOf(e.getMessage()));
            table.row(path, on, "failed", "", "", String.valueOf(e.getMessage()));
        }
    }

    private void skip(Report.Table table, String path, String on, String why) {
        report.note("%s: skipped: %s", path, why);
        table.row(path, on, SKIPPED, "", "", why);
    }

    private static VideoSettings settings(H264Encoder encoder) {
        return VideoSettings.live(FORMAT, FrameRate.of(FPS), encoder);
    }

    private List<AccessUnit> encoded(H264Encoder encoder) {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder open = VideoEncoder.open(settings(encoder));
                MovingFrame frame = new MovingFrame(FORMAT)) {
            for (int i = 0; i < frames; i++) {
                units.addAll(open.encode(frame.at(i, (long) i * TICKS_A_FRAME), false));
            }
            units.addAll(open.finish());
        }
        return units;
    }

    /** Takes ownership of the decoder. */
    private static int decoded(VideoDecoder decoder, List<AccessUnit> units) {
        int count = 0;
        try (decoder) {
            for (AccessUnit unit : units) {
                count += closed(decoder.decode(unit));
            }
            return count + closed(decoder.drain());
        }
    }

    private static int closed(List<VideoFrame> decoded) {
        decoded.forEach(VideoFrame::close);
        return decoded.size();
    }

    /** Takes ownership of the decoder. */
    private static int transcoded(VideoDecoder decoder, List<AccessUnit> units) {
        int count = 0;
        try (decoder;
                VideoEncoder encoder = VideoEncoder.open(settings(H264Encoder.NVENC))) {
            for (AccessUnit unit : units) {
                count += encoded(encoder, decoder.decode(unit));
            }
            count += encoded(encoder, decoder.drain());
            encoder.finish();
            return count;
        }
    }

    private static int encoded(VideoEncoder encoder, List<VideoFrame> decoded) {
        for (VideoFrame frame : decoded) {
            try (frame) {
                encoder.encode(frame, false);
            }
        }
        return decoded.size();
    }
}

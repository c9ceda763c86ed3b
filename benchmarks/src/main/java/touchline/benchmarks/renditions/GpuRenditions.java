package touchline.benchmarks.renditions;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameResizer;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Live renditions on the GPU beside those of the processor: CPU seconds, the same times, how much
 * the frames differ, and how many streams a card decodes and scales.
 */
public final class GpuRenditions {
    private static final int FPS = 30;
    private static final List<Integer> STREAMS = List.of(1, 4, 16, 48);
    private static final double PEAK = 255;

    private final Report report;
    private final int seconds;

    /**
     * @param seconds of media
     */
    public GpuRenditions(Report report, int seconds) {
        this.report = report;
        this.seconds = seconds;
    }

    /** Returns 0, or 1 if renditions of the GPU have other times. */
    public int run() throws Exception {
        TestPush push = TestPush.make(1280, 720, seconds);
        int code = compare(push);
        differences(push);
        differences(TestPush.make(1920, 1080, seconds));
        capacity(push);
        return code;
    }

    private int compare(TestPush push) throws Exception {
        Report.Table table =
                report.table(
                        "gpu renditions",
                        "720p to 480p and 360p | CPU s a minute of media | of the processor | times");
        List<AccessUnit> units = push.units();
        double minutes = units.size() / (FPS * 60.0);
        LadderRun software = warmed(H264Encoder.X264, false, push);
        double softwareCpu = software.atFullSpeed(push).cpuSeconds() / minutes;
        table.row("in software", softwareCpu, 1, "");
        int code = 0;
        for (H264Encoder encoder : List.of(H264Encoder.X264, H264Encoder.NVENC)) {
            if (!Ffmpeg.encoders().canUse(encoder)) {
                continue;
            }
            LadderRun run = warmed(encoder, true, push);
            double cpu = run.atFullSpeed(push).cpuSeconds() / minutes;
            boolean same = run.times().equals(software.times());
            table.row(
                    "decoded and scaled on the GPU, encoded by " + encoder.configName(),
                    cpu,
                    cpu / softwareCpu,
                    same ? "the same" : "different");
            code = same ? code : 1;
        }
        return code;
    }

    /** A run after another one: the JVM has compiled what runs for hours in a server. */
    private static LadderRun warmed(H264Encoder encoder, boolean onGpu, TestPush push)
            throws Exception {
        new LadderRun(encoder, onGpu).atFullSpeed(push);
        return new LadderRun(encoder, onGpu);
    }

    /** Scales the same frames in both ways. */
    private void differences(TestPush push) {
        Report.Table table =
                report.table(
                        "gpu scaling " + push.tracks().getFirst().codec().rfc6381(),
                        "to | PSNR of luma, dB | worst frame");
        AccessUnit first = push.units().getFirst();
        for (int height : List.of(720, 480, 360, 240)) {
            List<Double> psnrs = new ArrayList<>();
            FrameFormat target = new FrameFormat(height * 16 / 9 / 2 * 2, height, Colour.BT709);
            try (VideoDecoder decoder = VideoDecoder.open(first.track(), 1)) {
                for (AccessUnit unit : push.units().subList(0, FPS)) {
                    for (VideoFrame frame : decoder.decode(unit)) {
                        try (frame) {
                            if (frame.format().height() > height) {
                                psnrs.add(psnr(frame, target));
                            }
                        }
                    }
                }
            }
            if (!psnrs.isEmpty()) {
                table.row(
                        height + "p",
                        psnrs.stream().mapToDouble(each -> each).average().orElse(0),
                        psnrs.stream().mapToDouble(each -> each).min().orElse(0));
            }
        }
    }

    private static double psnr(VideoFrame frame, FrameFormat target) {
        try (VideoFrame uploaded = Gpu.upload(frame);
                FrameResizer processor = FrameResizer.open(frame, target);
                FrameResizer gpu = FrameResizer.open(uploaded, target);
                VideoFrame expected = processor.resize(frame);
                VideoFrame scaled = gpu.resize(uploaded);
                VideoFrame came = Gpu.download(scaled)) {
            return psnrOf(expected.planes().getFirst(), came.planes().getFirst(), target);
        }
    }

    private static double psnrOf(FrameView.Plane a, FrameView.Plane b, FrameFormat format) {
        long sum = 0;
        for (int y = 0; y < format.height(); y++) {
            for (int x = 0; x < format.width(); x++) {
                int difference = sample(a, x, y) - sample(b, x, y);
                sum += (long) difference * difference;
            }
        }
        double mean = (double) sum / format.width() / format.height();
        return 10 * Math.log10(PEAK * PEAK / Math.max(mean, 1e-9));
    }

    private static int sample(FrameView.Plane plane, int x, int y) {
        long at = (long) y * plane.strideBytes() + x;
        return Byte.toUnsignedInt(plane.samples().get(ValueLayout.JAVA_BYTE, at));
    }

    /** Decoding and scaling alone, by several streams at the same time. */
    private void capacity(TestPush push) throws Exception {
        Report.Table table =
                report.table(
                        "gpu capacity",
                        "streams at the same time | frames a second | streams of 720p30 | CPU s a minute of media");
        for (int streams : STREAMS) {
            long cpuNs = LadderRun.cpuNs();
            long startNs = System.nanoTime();
            int frames = 0;
            try (ExecutorService pool = Executors.newFixedThreadPool(streams)) {
                List<Callable<Integer>> tasks = new ArrayList<>();
                for (int i = 0; i < streams; i++) {
                    tasks.add(() -> scaled(push));
                }
                for (Future<Integer> each : pool.invokeAll(tasks)) {
                    frames += each.get();
                }
            }
            double perSecond = frames * 1e9 / (System.nanoTime() - startNs);
            double minutes = frames / (FPS * 60.0);
            table.row(
                    streams,
                    perSecond,
                    perSecond / FPS,
                    (LadderRun.cpuNs() - cpuNs) / 1e9 / minutes);
        }
    }

    /** Decodes all frames and scales each to 480p and 360p, on the GPU; returns how many. */
    private static int scaled(TestPush push) {
        AccessUnit first = push.units().getFirst();
        int count = 0;
        try (VideoDecoder decoder =
                        VideoDecoder.openOnGpu(first.track(), /* keepsFrames= */ true)
                                .orElseThrow();
                Scaler large = new Scaler(new FrameFormat(854, 480, Colour.BT709));
                Scaler small = new Scaler(new FrameFormat(640, 360, Colour.BT709))) {
            for (AccessUnit unit : push.units()) {
                for (VideoFrame frame : decoder.decode(unit)) {
                    count++;
                    try (frame;
                            VideoFrame scaled = large.of(frame)) {
                        small.of(scaled).close();
                    }
                }
            }
        }
        return count;
    }

    private static final class Scaler implements AutoCloseable {
        private final FrameFormat target;
        private @Nullable FrameResizer resizer;

        Scaler(FrameFormat target) {
            this.target = target;
        }

        VideoFrame of(VideoFrame frame) {
            FrameResizer open = resizer;
            if (open == null) {
                open = FrameResizer.open(frame, target);
                resizer = open;
            }
            return open.resize(frame);
        }

        @Override
        public void close() {
            FrameResizer open = resizer;
            if (open != null) {
                open.close();
            }
        }
    }
}

package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import touchline.api.host.HostFacts;
import touchline.config.ServerConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.H264Encoder;

/** Checks of a host with a graphics card: what is found, what lacks, how to get it. One thread. */
final class GpuChecks {
    /** NVENC of the shipped FFmpeg asks for this driver (Video Codec SDK 13.0). */
    static final int NVENC_DRIVER = 570;

    /** The libtorch that the shipped engine calls. */
    static final String TORCH = "2.7.1";

    private static final String GUIDE = "deploy/gpu.md";

    private final ServerConfig config;
    private final Map<String, String> environment;
    private final Tested tested;

    /**
     * What was tried on this host.
     *
     * @param encoders asked only where there is a card
     * @param nvdec whether FFmpeg finds a CUDA device; asked likewise
     */
    record Tested(
            HostFacts.Gpus cards,
            Supplier<EncoderCapabilities> encoders,
            Supplier<Boolean> nvdec) {}

    GpuChecks(ServerConfig config, Map<String, String> environment, Tested tested) {
        this.config = config;
        this.environment = Map.copyOf(environment);
        this.tested = tested;
    }

    List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        List<HostFacts.Gpu> cards = tested.cards().cards();
        if (cards.isEmpty()) {
            findings.add(none());
        }
        for (HostFacts.Gpu card : cards) {
            findings.add(card(card));
        }
        if (!cards.isEmpty()) {
            findings.add(nvenc(cards));
            findings.add(nvdec());
        }
        findings.add(inference(cards));
        return findings;
    }

    /** The processor does all work then, unless the configuration asks for a card. */
    private Finding none() {
        String text = tested.cards().reason() + "; the processor is used";
        return config.encoder().decoder().equals("nvdec")
                ? Finding.warn(
                        "gpu", text, "encoder.decoder is nvdec: set it to auto, or see " + GUIDE)
                : Finding.ok("gpu", text);
    }

    private static Finding card(HostFacts.Gpu card) {
        String memory =
                card.memoryTotalBytes().isPresent()
                        ? ", %d MiB".formatted(card.memoryTotalBytes().getAsLong() >> 20)
                        : "";
        String text = "%s, driver %s%s".formatted(card.name(), card.driver(), memory);
        return major(card.driver()) >= NVENC_DRIVER
                ? Finding.ok("gpu", text)
                : Finding.warn(
                        "gpu",
                        text,
                        "NVENC needs driver %d or newer: install it (nvidia-driver), then restart the host"
                                .formatted(NVENC_DRIVER));
    }

    private Finding nvenc(List<HostFacts.Gpu> cards) {
        String refusal = tested.encoders().get().refusals().getOrDefault(H264Encoder.NVENC, "");
        if (!refusal.isEmpty()) {
            return Finding.warn(
                    "nvenc",
                    "not usable: " + refusal,
                    "in a container set NVIDIA_DRIVER_CAPABILITIES=compute,video,utility; on Debian"
                            + " install libnvidia-encode1; cards for computing such as H100 and A100"
                            + " have no NVENC ("
                            + GUIDE
                            + ")");
        }
        boolean consumer = cards.stream().anyMatch(card -> card.name().contains("GeForce"));
        return Finding.ok(
                "nvenc",
                consumer
                        ? "usable; the driver limits the sessions of GeForce cards, all together:"
                                + " `./touchline bench gpu` counts them"
                        : "usable");
    }

    private Finding nvdec() {
        return tested.nvdec().get()
                ? Finding.ok("nvdec", "usable: encoder.decoder " + config.encoder().decoder())
                : Finding.warn(
                        "nvdec",
                        "not usable: FFmpeg finds no CUDA device",
                        "on Debian install libcuda1 and libnvcuvid1; in a container set"
                                + " NVIDIA_DRIVER_CAPABILITIES=compute,video,utility");
    }

    /** Inference with CUDA needs a libtorch of the host; the shipped one runs on the processor. */
    private Finding inference(List<HostFacts.Gpu> cards) {
        String device = config.moderation().device();
        String libraries = environment.getOrDefault("PYTORCH_LIBRARY_PATH", "");
        if (!libraries.isEmpty() && Files.exists(Path.of(libraries, "libtorch_cuda.so"))) {
            return libtorch(device, Path.of(libraries));
        }
        String advice =
                "unpack libtorch-shared-with-deps-%s+cu128 and set PYTORCH_LIBRARY_PATH to its folder lib (%s)"
                        .formatted(TORCH, GUIDE);
        if (device.startsWith("cuda")) {
            return Finding.warn(
                    "inference",
                    "moderation.device is %s, but PYTORCH_LIBRARY_PATH names no libtorch with CUDA"
                            .formatted(device),
                    advice + ", or set the device to cpu");
        }
        return cards.isEmpty() || device.equals("cpu")
                ? Finding.ok("inference", "on the processor")
                : Finding.warn("inference", "on the processor, although there is a card", advice);
    }

    private static Finding libtorch(String device, Path libraries) {
        Optional<String> version = version(libraries);
        String text = "%s, libtorch with CUDA in %s".formatted(device, libraries);
        boolean other = version.isPresent() && !version.get().startsWith(TORCH);
        return other
                ? Finding.warn(
                        "inference",
                        text + ", version " + version.get(),
                        "the server calls libtorch %s: unpack that version (%s)"
                                .formatted(TORCH, GUIDE))
                : Finding.ok("inference", text);
    }

    private static Optional<String> version(Path libraries) {
        Path parent = libraries.toAbsolutePath().normalize().getParent();
        try {
            return parent == null || !Files.isRegularFile(parent.resolve("build-version"))
                    ? Optional.empty()
                    : Optional.of(Files.readString(parent.resolve("build-version")).strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** The first number of a driver's version; 0 where it has none. */
    private static int major(String version) {
        String digits = version.replaceFirst("\\D.*", "");
        return digits.isEmpty() || digits.length() > 6 ? 0 : Integer.parseInt(digits);
    }
}

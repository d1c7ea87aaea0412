public enum HTML {}

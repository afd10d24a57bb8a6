"""What is written into the configuration of each agent."""
